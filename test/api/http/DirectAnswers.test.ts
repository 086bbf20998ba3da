import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import type { ApiKey } from "../../../src/api/access/keys.ts";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import type { Caller } from "../../../src/api/declare/Caller.ts";
import { findIpRange } from "../../../src/lib/ip.ts";
import { openLog } from "../../../src/lib/log.ts";
import { openApiServer, type TestServerOptions } from "../../kit/api/apiServer.ts";
import { type FrameServices, frameApi } from "../../kit/api/frameEndpoints.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Sends one request and reads its whole answer. */
async function ask(socket: Socket, request: string): Promise<string> {
  let answer = "";
  socket.write(request);
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    answer += chunk.toString("latin1");
    const end = answer.indexOf("\r\n\r\n");
    const isBare = / 304 /.test(answer.slice(0, end));
    if (end !== -1 && (isBare || answer.length - end - 4 >= Number(/content-length: (\d+)/i.exec(answer)?.[1])))
      return answer.replace(/Date: [^\r]*/, "Date");
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  closers.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

interface Run {
  readonly answers: readonly string[];
  readonly metrics: string;
  readonly log: readonly string[];
}

const says: FrameServices["answer"] = async ({ text }, { caller, notes }) => {
  notes.askedServer(3);
  notes.addHeader("ETag", `"${text}"`);
  if (text === "bad header") notes.addHeader("X-Bad", "a\nb");
  return text === "long" ? "x".repeat(9_000) : `${text} to ${caller.kind}`;
};

/** Sends the requests to a new server, over one connection or over one each, where they all go the ordinary way. */
async function run(
  requests: readonly string[],
  connections: "one" | "one each",
  options: (clock: ManualClock) => TestServerOptions = () => ({}),
): Promise<Run & { readonly ordinary: number }> {
  const clock = new ManualClock();
  const log: string[] = [];
  const destination = { write: (line: string) => void log.push(line) };
  const server = await openApiServer(
    frameApi,
    { answer: says },
    { clock, log: openLog({ level: "debug", clock, destination }), ...options(clock) },
  );
  closers.push(() => server.destroy());
  let ordinary = 0;
  const count = () => {
    ordinary += 1;
  };
  subscribe("http.server.request.start", count);
  const shared = await open(server.port);
  const answers: string[] = [];
  for (const request of requests)
    answers.push(await ask(connections === "one" ? shared : await open(server.port), request));
  unsubscribe("http.server.request.start", count);
  const metrics = (await server.metricsText()).split("\n").filter((line) => /requests|cache|refused/.test(line));
  return { answers, metrics: metrics.join("\n"), log, ordinary };
}

/** The number of requests that were answered directly; everything but that is the same. */
async function countDirect(requests: readonly string[], options?: (clock: ManualClock) => TestServerOptions) {
  const { ordinary: all, ...expected } = await run(requests, "one each", options);
  const { ordinary, ...found } = await run(requests, "one", options);
  expect(found).toEqual(expected);
  expect(all).toBe(requests.length);
  return all - ordinary;
}

const get = (url: string, ...headers: readonly string[]) =>
  `GET /api/v2/${url} HTTP/1.1\r\n${["Host: a.example", ...headers].join("\r\n")}\r\n\r\n`;

function rpc(text: string, id: number, ...headers: readonly string[]): string {
  const body = JSON.stringify({ id, jsonrpc: "2.0", method: "sayOfHead", params: { text } });
  const head = ["Host: a.example", ...headers, `Content-Length: ${body.length}`].join("\r\n");
  return `POST /api/v2/jsonRPC HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

const twice = (...requests: readonly string[]) => requests.flatMap((request) => [request, request]);

const goodKey: ApiKey = {
  ...{ id: "1", hash: "", name: "n", owner: "o", plan: "free", networks: ["mainnet"] },
  ...{ createdAt: 0, lastUsedAt: undefined, revokedAt: undefined },
};

/** Keyless callers have three requests, the key has five. */
function guarded(clock: ManualClock): TestServerOptions {
  const finder = { find: (secret: string) => (secret === "good" ? goodKey : undefined) };
  const plans = new Map([["free", { perSecond: 1, burst: 5 }]]);
  const limits = new MemoryLimits({ maxNames: 100 }, clock);
  const trustedProxies = ["127.0.0.1/32"].map((text) => findIpRange(text)).filter((range) => range !== undefined);
  const keyless = { perSecond: 1, burst: 3 };
  return { access: new Gatekeeper({ network: "mainnet", plans, keyless }, { keys: finder, limits }), trustedProxies };
}

describe("an answer of the direct way", () => {
  it("has the bytes, metrics and log lines of the ordinary way", async () => {
    const requests = [
      ...twice(get("sayOfHead?text=a"), get("sayForEver?text=b&seqno=1")),
      get("sayOfHead?text=a", "X-Request-Id: mine", "X-Tongate-Trace: 1", "Origin: http://b.example"),
      get("sayOfHead?text=a", "X-Request-Id: not a good id"),
      get("sayOfHead?text=a", 'If-None-Match: W/"x", "a"'),
      get("sayOfHead?text=a", 'If-None-Match: "other"', "Accept-Encoding: gzip"),
      get("sayOfHead/?text=a"),
      get("sayOfHead/?text=a"),
    ];
    expect(await countDirect(requests)).toBe(7);
  });

  it("is the same for JSON-RPC, with the same and with other ids", async () => {
    const requests = [
      ...twice(rpc("a", 1)),
      rpc("a", 2),
      rpc("a", 2),
      rpc("a", 2),
      rpc("b", 1),
      rpc("a", 1),
      rpc("b", 3),
    ];
    expect(await countDirect(requests)).toBe(6);
  });

  it("is not given to what is not cached, long, an error, has a key in its URL or a header that cannot be sent", async () => {
    const bad = get("sayOfHead?text=bad%20header");
    const requests = [
      ...twice(get("say?text=a"), get("sayOfHead?text=long"), get("sayOfHead"), get("none"), bad),
      ...twice(get("sayOfHead?text=a&api_key=x"), get("../../healthcheck")),
    ];
    expect(await countDirect(requests)).toBe(0);
  });

  it("keeps keys, limits and addresses of clients", async () => {
    const url = "sayOfHead?text=a";
    const requests = [
      ...twice(get(url), get(url)),
      ...[1, 2, 3, 4, 5, 6].map(() => get(url, "X-API-Key: good")),
      ...twice(get(url, "X-API-Key: bad"), get(url, "X-Forwarded-For: 192.0.2.1"), rpc("a", 1, "X-API-Key: good")),
      ...[1, 2, 3].map(() => get(url, "X-Forwarded-For: 192.0.2.2, 192.0.2.1")),
    ];
    // Besides the first, the calls by JSON-RPC, which are refused before they were ever answered.
    expect(await countDirect(requests, guarded)).toBe(requests.length - 3);
  });

  it("never tells a caller without a key what only one with a key may see", async () => {
    const url = "sayOfHead?text=private";
    const { answers } = await run([get(url, "X-API-Key: good"), get(url), get(url), get(url)], "one", guarded);
    const kinds = answers.map((answer) => /private to (\w+)/.exec(answer)?.[1] as Caller["kind"] | undefined);
    expect(kinds).toEqual(["key", "keyless", "keyless", "keyless"]);
  });

  it("leaves its connection open longer than a request may take to arrive", async () => {
    const server = await openApiServer(frameApi, { answer: says }, { requestMs: 1_000 });
    closers.push(() => server.destroy());
    const socket = await open(server.port);
    const statuses: (string | undefined)[] = [];
    for (const waitMs of [0, 0, 1_100, 1_100]) {
      await setTimeout(waitMs);
      statuses.push((await ask(socket, get("sayOfHead?text=a"))).split(" ")[1]);
    }
    expect(statuses).toEqual(["200", "200", "200", "200"]);
  });
});
