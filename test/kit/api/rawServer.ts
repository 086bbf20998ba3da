import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A bare socket server whose every connection a test plays itself. */
export interface RawServer {
  readonly port: number;
  /** The connections made so far, in their order. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
}

/** Listens on loopback; `play` is handed each connection. Errors of its sockets are the other side's doing, and ignored. */
export async function openRawServer(play: (socket: Socket) => void): Promise<RawServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    play(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A port on which nobody listens: one that was just given back. */
export async function findClosedPort(): Promise<number> {
  const server = await openRawServer(() => {});
  await server.close();
  return server.port;
}
