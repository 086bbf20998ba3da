import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A bare socket server; the test handles every connection itself. */
export interface RawServer {
  readonly port: number;
  /** All connections so far, in order. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
}

/** Listens on loopback and passes each connection to `play`. Socket errors come from the client and are ignored. */
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

/** A port on which nobody listens: it was free a moment ago. */
export async function findClosedPort(): Promise<number> {
  const server = await openRawServer(() => {});
  await server.close();
  return server.port;
}
