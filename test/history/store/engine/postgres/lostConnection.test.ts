import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { PostgresSession } from "../../../../../src/history/store/engine/postgres/PostgresSession.ts";
import { freshUrl } from "../../../../kit/history/database.ts";

/** What a server answers while it starts: an error of severity FATAL, then the end of the connection. */
function startingUp(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up"].map((each) => `${each}\0`);
  const body = Buffer.from(`${fields.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A proxy before a PostgreSQL that refuses the first connection like a server that starts. */
let proxy: Server;
let url: string;
const open = new Set<Socket>();
let connections = 0;

beforeAll(async () => {
  const target = new URL(await freshUrl());
  const { hostname, port } = target;
  proxy = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
    if (connections === 1) {
      socket.once("data", () => socket.end(startingUp()));
      return;
    }
    const server = connect(Number(port), hostname);
    server.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.on("close", () => server.destroy());
    socket.pipe(server);
    server.pipe(socket);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const address = proxy.address();
  target.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  url = target.href;
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  proxy?.close();
});

it("leaves no connection behind when a statement waits while another one is refused", async () => {
  const cancel = () => Promise.resolve();
  const session = new PostgresSession({ url, connectMs: 10_000, settings: ["set jit = off"], cancel });
  const answers = await Promise.allSettled([session.query("select 1 as one"), session.query("select 2 as two")]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await session.query("select 3 as three")).toEqual([{ three: 3 }]);
  await session.close();
  await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 300_000, interval: 50 });
  expect(connections).toBeGreaterThan(1);
});
