import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openV2Server, type TestServer } from "../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../kit/api/rawHttp.ts";

let server: TestServer;

beforeEach(async () => {
  server = await openV2Server({ metrics: { kind: "port", host: "127.0.0.1", port: 0 } });
});

afterEach(() => server.destroy());

const filler = (count: number) => Array.from({ length: count }, (_, at) => `X-Filler-${at}: a\r\n`).join("");
const path = "/api/v2/healthcheck";
const end = "Connection: close\r\n\r\n";

describe("the head of a request", () => {
  it("has at most 100 headers, equal names counted, whatever the port and the protocol it offers", async () => {
    const statusOf = async (headers: string, port = server.port, target = path) =>
      readRaw(await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}${end}`)).status;
    expect(await statusOf(filler(98))).toBe(200);
    expect(await statusOf(filler(99))).toBe(431);
    expect(await statusOf("A: b\r\n".repeat(99))).toBe(431);
    for (const count of [997, 998, 1_500, 4_000])
      expect(await statusOf(`${"a:b\r\n".repeat(count)}X-Forwarded-For: 1.2.3.4\r\n`)).toBe(431);
    expect(await statusOf(`${filler(997)}Upgrade: websocket\r\n`)).toBe(431);
    expect(await statusOf(filler(997), server.metricsPort ?? 0, "/metrics")).toBe(431);
  });

  it("may offer a protocol that the server does not speak: the answer is one of HTTP/1.1", async () => {
    const offer = "Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    const got = readRaw(await sendRaw(server.port, `GET ${path} HTTP/1.1\r\n${offer}Connection: close\r\n\r\n`));
    expect([got.status, got.body]).toEqual([200, "OK"]);

    const body = '{"id":1,"jsonrpc":"2.0","method":"detectAddress","params":{"address":"x"}}';
    const post = `POST /api/v2/jsonRPC HTTP/1.1\r\n${offer}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const plain = post.replace(offer, "Host: a\r\n");
    const { status } = readRaw(await sendRaw(server.port, plain));
    expect(readRaw(await sendRaw(server.port, post)).status).toBe(status);
  });

  it("gets 404 if it offers WebSocket on a path without a stream", async () => {
    const offer =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AA==\r\n";
    const answer = await sendRaw(server.port, `GET /nowhere HTTP/1.1\r\nHost: a\r\n${offer}${end}`);
    expect(readRaw(answer).status).toBe(404);
  });

  it("may follow another one that offers a protocol, on the same connection", async () => {
    const offer = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const body = '{"id":1}';
    const post = `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 8\r\n\r\n${body}`;
    const last = `GET ${path} HTTP/1.1\r\nHost: a\r\n${end}`;
    const answer = await sendRaw(server.port, `${offer}${offer}${post}${last}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      expect.stringMatching(/4\d\d$/),
      "HTTP/1.1 200",
    ]);
  });
});

describe("pipelined requests", () => {
  it("are all answered in order, however many come at once and wherever they are cut", async () => {
    const requests = Array.from({ length: 120 }, (_, at) =>
      at % 3 === 0
        ? `POST /api/v2/detectAddress HTTP/1.1\r\nHost: a\r\nX-Request-Id: r${at}\r\nContent-Length: 15\r\n\r\n{"address":"x"}`
        : `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: r${at}\r\n\r\n`,
    );
    const last = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: r120\r\n${end}`;
    const answer = await sendRaw(server.port, `${requests.join("")}${last}`);
    const ids = [...answer.matchAll(/X-Request-Id: (r\d+)/g)].map(([, id]) => id);
    expect(ids).toEqual(Array.from({ length: 121 }, (_, at) => `r${at}`));
  });
});
