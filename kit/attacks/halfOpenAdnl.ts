import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { askResult } from "./localControls.ts";

/** Longer than a lite server waits for a handshake. */
const patienceMs = 15_000;

/** Opens connections to the lite port that send nothing, and waits until the server has ended all of them. */
export async function openHalfWay(origin: string, count = 800): Promise<void> {
  const [server] = (await askResult(`${origin}/localnet/liteServers`)) as readonly LiteServer[];
  if (server === undefined) throw new Error("the network has no lite port");
  const sockets: Socket[] = [];
  let received = 0;
  let ended = 0;
  for (let at = 0; at < count; at++) {
    const socket = connect(server.port, server.host);
    socket.on("error", () => undefined);
    socket.on("data", ({ length }) => {
      received += length;
    });
    socket.on("close", () => ended++);
    sockets.push(socket);
    await once(socket, "connect");
  }
  await setTimeout(1_000);
  if (ended > count / 2) throw new Error(`the lite port ended ${ended} of ${count} connections at once`);
  const untilMs = performance.now() + patienceMs;
  while (ended < count && performance.now() < untilMs) await setTimeout(100);
  for (const socket of sockets) socket.destroy();
  if (ended < count || received > 0)
    throw new Error(`the lite port ended ${ended} of ${count} silent connections and sent ${received} bytes`);
}

interface LiteServer {
  readonly host: string;
  readonly port: number;
}
