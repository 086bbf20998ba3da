import { connect, type Socket } from "node:net";
import type { ReadersAnswer, ReadersOrder } from "./messages.ts";

/* Reads streams in its own process, so that its CPU time and memory are not counted. */

const sockets: Socket[] = [];
let events = 0;
let lastAtMs = 0;

function open(port: number, path: string, isReading: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    sockets.push(socket);
    socket.once("error", reject);
    const body = '{"types":["blocks"],"cursor":true}';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    let isOpen = false;
    socket.on("data", (chunk) => {
      for (let at = chunk.indexOf("data: "); at !== -1; at = chunk.indexOf("data: ", at + 6)) {
        if (isOpen) {
          events += 1;
          // Keep-alives are not events and come later.
          lastAtMs = Date.now();
        }
        isOpen = true;
      }
      if (!isReading) socket.pause();
      resolve();
    });
  });
}

process.on("message", async (order: ReadersOrder) => {
  if (order.kind === "open")
    for (let at = 0; at < order.count; at++) await open(order.port, order.path, order.isReading);
  if (order.kind === "close") for (const socket of sockets.splice(0)) socket.destroy();
  const answer: ReadersAnswer = { events, lastAtMs };
  if (order.kind === "count") events = 0;
  process.send?.(answer);
});
