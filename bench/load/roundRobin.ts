import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that gives each connection to the next of several servers. */
export interface RoundRobin {
  readonly port: number;
  close(): Promise<void>;
}

export async function openRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: ports[turn++ % ports.length] ?? 0, host: "127.0.0.1", noDelay: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
