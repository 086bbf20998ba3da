import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface SlowBodyOptions {
  readonly connections: number;
  /** Sent of each body, which is one byte longer. */
  readonly bytes: number;
}

/** Sends bodies on many connections that lack their last byte; returns a function that ends them. */
export async function sendSlowBodies(origin: string, { connections, bytes }: SlowBodyOptions): Promise<() => void> {
  const { hostname, port } = new URL(origin);
  const head = `POST /api/v2/jsonRPC HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes + 1}\r\n\r\n`;
  const body = Buffer.alloc(bytes, " ");
  const sockets: Socket[] = [];
  for (let at = 0; at < connections; at++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(head);
    await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
