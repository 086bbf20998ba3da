import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionLimit } from "../../../../src/api/http/sockets/ConnectionLimit.ts";
import { openLog } from "../../../../src/lib/log.ts";
import { noChain, openV2Server, type TestServer } from "../../../kit/api/apiServer.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const ask = "GET /api/v2/healthcheck HTTP/1.1\r\nHost: a\r\n\r\n";
/** Its body never arrives, so the request stays in progress. */
const unfinished = "POST /api/v2/jsonRPC HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n";
const ok = "HTTP/1.1 200 OK";

let server: TestServer;
const clients: Socket[] = [];
const lines: string[] = [];
let limit: ConnectionLimit;

async function open(max: number): Promise<void> {
  const clock = new ManualClock();
  const log = openLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
  limit = new ConnectionLimit(max, { clock, log });
  server = await openV2Server({ connections: limit }, noChain);
}

/** Connects and waits until the server has accepted the connection. */
async function openClient(): Promise<Socket> {
  const count = limit.open + limit.ended;
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  clients.push(socket);
  socket.on("error", () => {});
  await expect.poll(() => limit.open + limit.ended).toBe(count + 1);
  return socket;
}

/** Sends a request and waits for the first line of the answer. */
async function answerOf(socket: Socket, request = ask): Promise<string | undefined> {
  const answered = once(socket, "data") as Promise<[Buffer]>;
  socket.write(request);
  return (await answered)[0].toString("latin1").split("\r\n")[0];
}

async function isEnded(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, "close");
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  lines.splice(0);
  await server.destroy();
});

describe("connections above the limit", () => {
  it("replace idle ones, least recently used first", async () => {
    await open(3);
    const [first, second, third] = [await openClient(), await openClient(), await openClient()];
    expect(await answerOf(first)).toBe(ok);
    const fourth = await openClient();
    await isEnded(second);
    const fifth = await openClient();
    await isEnded(third);
    expect([await answerOf(first), await answerOf(fourth), await answerOf(fifth)]).toEqual([ok, ok, ok]);
    expect([limit.open, limit.ended]).toEqual([3, 2]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", limit: 3 }]);
  });

  it("are refused while all connections have requests in progress", async () => {
    await open(2);
    for (let count = 0; count < 2; count++)
      expect(await answerOf(await openClient(), unfinished)).toBe("HTTP/1.1 100 Continue");
    await isEnded(await openClient());
    expect([limit.open, limit.ended]).toEqual([2, 1]);
  });

  it("do not count closed ones", async () => {
    await open(10);
    (await openClient()).destroy();
    await expect.poll(() => limit.open).toBe(0);
    expect(limit.ended).toBe(0);
  });
});
