import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Type } from "typebox";
import { openAccess } from "../src/api/access/Gatekeeper.ts";
import { arg } from "../src/api/declare/argument.ts";
import { chainProof } from "../src/api/declare/proof.ts";
import { serveVersion } from "../src/api/http/ServedVersion.ts";
import { contractLimits, Draining, openServer } from "../src/api/http/server/server.ts";
import { Metrics } from "../src/api/metrics.ts";
import { addressArg } from "../src/api/v2/args.ts";
import type { V2Services } from "../src/api/v2/declare.ts";
import { endpoint } from "../src/api/v2/declare.ts";
import { v2Api } from "../src/api/v2/envelope.ts";
import { systemClock } from "../src/lib/clock.ts";
import { field } from "../src/lib/kit/shape.ts";
import { openLog } from "../src/lib/log.ts";
import { type Benchmark, benchmark } from "./kit/benchmark.ts";

/** Number of connections of a busy client, each with one request at a time. */
const connections = 16;
const requestsEach = 25;
const amount = connections * requestsEach;
const warmUpRuns = 50;

const address = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

/** The size of a wallet's state, which is requested most often. */
const state = {
  "@type": "raw.fullAccountState",
  balance: "939596128310392",
  code: "te6cc".repeat(250),
  data: "te6".repeat(60),
  state: "active",
};

const getState = endpoint({
  name: "getState",
  tag: "bench",
  summary: "An account's state.",
  args: { address: arg("Address of the account.", addressArg(), "wallet") },
  cache: "head",
  proof: chainProof,
  result: field({ schema: Type.Any(), encode: (value: unknown) => value }),
  run: async () => state,
});

/** No request here reaches the chain. */
const noChain: V2Services = {
  isLive: () => true,
  chains: {
    open: () => {
      throw new Error("no chain is measured here");
    },
  },
};

interface Opened {
  readonly port: number;
  close(): Promise<void>;
}

async function openOurs(): Promise<Opened> {
  const [metrics, draining, log] = [new Metrics(), new Draining(), openLog({ level: "warn" })];
  const common = { clock: systemClock, log, metrics };
  let requests = 0;
  const served = serveVersion(
    { ...v2Api, endpoints: [getState] },
    {
      ...contractLimits,
      deadlineMs: 10_000,
      maxWaiting: 1000,
      headBytes: 1 << 26,
      lastingBytes: 1 << 26,
      trustedProxies: [],
    },
    {
      ...common,
      services: noChain,
      head: () => 1,
      access: openAccess,
      nextId: () => `r${++requests}`,
      isDraining: () => false,
    },
  );
  return openServer(
    { ...contractLimits, host: "127.0.0.1", port: 0, metrics: { kind: "off" }, requestMs: 30_000, drainMs: 100 },
    {
      ...common,
      versions: [served],
      checks: [],
      draining,
      facts: () => ({ title: "", facts: [], links: [], examples: [] }),
    },
  );
}

async function openBare(listener: RequestListener): Promise<Opened> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Reads one answer from an otherwise idle connection. */
function readAnswer(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [length, due] = [0, -1];
    const read = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (due === -1) {
        const head = chunk.indexOf("\r\n\r\n");
        due = head + 4 + Number(/content-length: (\d+)/i.exec(chunk.toString("latin1", 0, head))?.[1]);
      }
      if (length >= due) {
        socket.off("data", read);
        resolve(Buffer.concat(chunks));
      }
    };
    socket.on("data", read);
  });
}

/** Opens the connections once; each run sends requests over all of them, one after another on each. */
async function openLoad(
  port: number,
  request: () => string,
): Promise<{ run(): Promise<unknown>; answer: Buffer; close(): void }> {
  const sockets = Array.from({ length: connections }, () => connect({ port, host: "127.0.0.1", noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const askOnce = (socket: Socket) => {
    const answer = readAnswer(socket);
    socket.write(request());
    return answer;
  };
  const [first] = sockets;
  if (first === undefined) throw new Error("no connection");
  // The first answer is computed, the second is cached.
  await askOnce(first);
  const answer = await askOnce(first);
  const askMany = async (socket: Socket) => {
    for (let count = 0; count < requestsEach; count++) await askOnce(socket);
  };
  return {
    answer,
    run: () => Promise.all(sockets.map(askMany)),
    close: () => sockets.map((socket) => socket.destroy()),
  };
}

/** The header lines of an answer in the form that Node takes. */
function headersOf(answer: Buffer): string[] {
  const lines = answer.toString("latin1", 0, answer.indexOf("\r\n\r\n")).split("\r\n").slice(1);
  const own = /^(?:date|connection|keep-alive):/i;
  return lines
    .filter((line) => !own.test(line))
    .flatMap((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
}

interface Race {
  readonly name: string;
  readonly request: () => string;
  readonly mark: number;
  /** What the bare server does before it sends the same bytes. */
  readonly bare: (request: IncomingMessage, answer: () => void) => void;
}

const getRequest = `GET /api/v2/getState?address=${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n`;

const getRace: Race = {
  name: "cached GET over loopback",
  request: () => getRequest,
  mark: 0.7,
  bare: (_request, answer) => answer(),
};

function rpcRequest(id: string): string {
  const body = JSON.stringify({ id, jsonrpc: "2.0", method: "getState", params: { address } });
  const head = "POST /api/v2/jsonRPC HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json";
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const sameRequest = rpcRequest("1");
let requests = 1_000_000;

const rpcRace: Race = {
  name: "cached JSON-RPC over loopback",
  request: () => sameRequest,
  mark: 0.6,
  bare: (request, answer) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      if (Object(JSON.parse(text)).method === "getState") answer();
    });
  },
};

/** Most clients always send the same id; with different ids no two bodies are equal. */
const countedRpcRace: Race = {
  ...rpcRace,
  name: "cached JSON-RPC, another id each time",
  request: () => rpcRequest(String(requests++)),
};

/** The servers live only while the benchmark is measured. */
function httpBenchmark({ name, request, mark, bare }: Race): Benchmark {
  const declare = (baseline: () => unknown, subject: () => unknown) =>
    benchmark({
      name,
      group: "http",
      unit: "requests/s",
      amount,
      baseline: { name: "bare node:http, same bytes", run: baseline },
      subject: { run: subject },
      mark,
    });
  const measure = async () => {
    const ours = await openOurs();
    const subject = await openLoad(ours.port, request);
    const headers = headersOf(subject.answer);
    const body = subject.answer.subarray(subject.answer.indexOf("\r\n\r\n") + 4);
    const plain = await openBare((incoming, response) =>
      bare(incoming, () => void response.writeHead(200, headers).end(body)),
    );
    const baseline = await openLoad(plain.port, request);
    try {
      // A server is warm after thousands of requests; the kit's warm-up is too short.
      for (let count = 0; count < warmUpRuns; count++) {
        await baseline.run();
        await subject.run();
      }
      return await declare(baseline.run, subject.run).measure();
    } finally {
      baseline.close();
      subject.close();
      await plain.close();
      await ours.close();
    }
  };
  return {
    ...declare(
      () => {},
      () => {},
    ),
    measure,
  };
}

/** The cost of a request body compared with a URL: both answered by us, from the cache. */
function rpcAgainstGet(): Benchmark {
  const declare = (baseline: () => unknown, subject: () => unknown) =>
    benchmark({
      name: "cached JSON-RPC against our own GET",
      group: "http",
      unit: "requests/s",
      amount,
      baseline: { name: "the same by GET", run: baseline },
      subject: { run: subject },
      mark: 0.8,
    });
  const nothing = () => {};
  const measure = async () => {
    const ours = await openOurs();
    const [baseline, subject] = [
      await openLoad(ours.port, getRace.request),
      await openLoad(ours.port, rpcRace.request),
    ];
    try {
      for (let count = 0; count < warmUpRuns; count++) {
        await baseline.run();
        await subject.run();
      }
      return await declare(baseline.run, subject.run).measure();
    } finally {
      baseline.close();
      subject.close();
      await ours.close();
    }
  };
  return { ...declare(nothing, nothing), measure };
}

export const benchmarks: readonly Benchmark[] = [
  ...[getRace, rpcRace, countedRpcRace].map(httpBenchmark),
  rpcAgainstGet(),
];
