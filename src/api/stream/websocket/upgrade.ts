import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** Whether a request asks for a WebSocket in the only version there is. */
export function isUpgrade({ headers, method }: IncomingMessage): boolean {
  const wanted = headers.upgrade?.toLowerCase() === "websocket" && headers["sec-websocket-version"] === "13";
  return wanted && method === "GET" && /^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "");
}

/** Refuses a request for a WebSocket with an answer of HTTP. */
export function refuseUpgrade(socket: Duplex, status: number, reason: string, body: string): void {
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.on("error", () => socket.destroy());
  // A client that never ends its side would keep the socket.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head}${body}`);
}
