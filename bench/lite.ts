import { once, setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromBase64, fromHex } from "../src/lib/bytes.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/random.ts";
import { AdnlServer } from "../src/lite/adnl/AdnlServer.ts";
import { makeAdnlKey } from "../src/lite/adnl/keys.ts";
import { LiteError } from "../src/lite/errors.ts";
import { LiteConnection } from "../src/lite/server/LiteConnection.ts";
import { decodeAnswer, findServerError } from "../src/lite/server/LiteServer.ts";
import { decodeQuery, encodeQuery, unwrapQuery } from "../src/lite/tl/queryEnvelope.ts";
import { type Benchmark, benchmark } from "./kit/benchmark.ts";

interface Exchange {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
}

const inFlight = 32;

/** The recorded queries and answers that decode. */
function readExchanges(): Exchange[] {
  const path = join(process.cwd(), "test/fixtures/realnet/lite-answers.jsonl.gz");
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { group: string; note?: string; request: string; response: string | null })
    .filter(({ group, note }) => group !== "bad" && note !== "trailing bytes")
    .map(({ request, response }) => ({
      query: unwrapQuery(fromHex(request)),
      answer: fromBase64(response ?? ""),
    }));
}

function accountExchange(exchanges: readonly Exchange[]): Exchange {
  const exchange = exchanges.find(
    ({ query, answer }) =>
      decodeQuery(query).query.name === "liteServer.getAccountState" && findServerError(answer) === undefined,
  );
  if (exchange === undefined) throw new Error("no account state recorded");
  return exchange;
}

/** A resource to measure, closed afterwards. */
interface Opened {
  run(): Promise<unknown>;
  close(): void;
}

/**
 * Sends the same number of bytes in both directions over plain sockets, as many at a time as a lite-server connection.
 */
async function openBareSockets({ query, answer }: Exchange): Promise<Opened> {
  const [request, response] = [new Uint8Array(query.length + 116), new Uint8Array(answer.length + 108)];
  const server = createServer({ noDelay: true }, (socket) => echo(socket, request.length, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const run = () => {
    const answered = received(socket, response.length * inFlight);
    for (let sent = 0; sent < inFlight; sent++) socket.write(request);
    return answered;
  };
  const close = () => {
    socket.destroy();
    server.close();
  };
  return { run, close };
}

function echo(socket: Socket, requestLength: number, response: Uint8Array): void {
  let owed = 0;
  socket.on("data", (chunk) => {
    for (owed += chunk.length; owed >= requestLength; owed -= requestLength) socket.write(response);
  });
}

function received(socket: Socket, length: number): Promise<void> {
  return new Promise((resolve) => {
    let due = length;
    const count = (chunk: Uint8Array) => {
      due -= chunk.length;
      if (due === 0) {
        socket.off("data", count);
        resolve();
      }
    };
    socket.on("data", count);
  });
}

async function openConnection({ query, answer }: Exchange): Promise<Opened> {
  const seed = systemRandom.bytes(32);
  const modules = { clock: systemClock, random: systemRandom };
  const server = await AdnlServer.open(
    { host: "127.0.0.1", port: 0, seeds: [seed], maxInFlight: inFlight },
    { ...modules, handler: async () => answer },
  );
  const address = { host: "127.0.0.1", port: server.port, publicKey: makeAdnlKey(seed).publicKey };
  const connection = new LiteConnection(address, modules);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const over = new LiteError("lite/closed", "measured");
  return {
    run: () => Promise.all(Array.from({ length: inFlight }, () => connection.ask(query, { signal }))),
    close: () => {
      connection.destroy(over);
      server.destroy(over);
    },
  };
}

/** A benchmark that opens its sockets only while it is measured. */
function loopbackBenchmark(account: Exchange): Benchmark {
  const declare = (bare?: Opened, connection?: Opened) =>
    benchmark({
      name: `account queries over loopback, ${inFlight} in flight`,
      group: "lite",
      unit: "queries/s",
      amount: inFlight,
      baseline: { name: "bare sockets", run: () => bare?.run() },
      subject: { run: () => connection?.run() },
    });
  const measure = async () => {
    const [bare, connection] = [await openBareSockets(account), await openConnection(account)];
    try {
      return await declare(bare, connection).measure();
    } finally {
      bare.close();
      connection.close();
    }
  };
  return { ...declare(), measure };
}

function decodeAll(exchanges: readonly Exchange[]): number {
  let fields = 0;
  for (const { query: bytes, answer } of exchanges) {
    const { query, args } = decodeQuery(bytes);
    fields += Object.keys(args ?? {}).length;
    if (findServerError(answer) === undefined) fields += Object.keys(decodeAnswer(query, answer) ?? {}).length;
  }
  return fields;
}

export const benchmarks = (): readonly Benchmark[] => {
  const exchanges = readExchanges();
  const account = accountExchange(exchanges);
  const { query, args } = decodeQuery(account.query);
  return [
    loopbackBenchmark(account),
    benchmark({
      name: "recorded exchanges decoded from TL",
      group: "lite",
      unit: "exchanges/s",
      amount: exchanges.length,
      baseline: { name: "copying their bytes", run: () => exchanges.map(({ answer }) => answer.slice()) },
      subject: { run: () => decodeAll(exchanges) },
    }),
    benchmark({
      name: "account queries written as TL",
      group: "lite",
      unit: "queries/s",
      baseline: { name: "copying their bytes", run: () => account.query.slice() },
      subject: { run: () => encodeQuery(query, args) },
    }),
  ];
};
