import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface PipelineOptions {
  readonly connections: number;
  readonly requests: number;
  readonly path: string;
}

/** Sends many requests on each connection without reading an answer; returns a function that ends them. */
export async function pipelineUnread(
  origin: string,
  { connections, requests, path }: PipelineOptions,
): Promise<() => void> {
  const { hostname, port } = new URL(origin);
  const text = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(requests);
  const sockets: Socket[] = [];
  for (let at = 0; at < connections; at++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    socket.pause();
  }
  for (const socket of sockets) socket.write(text);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
