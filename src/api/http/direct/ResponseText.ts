import { type Server, STATUS_CODES } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import type { DirectAnswer } from "./DirectAnswer.ts";

/** Writes direct answers as Node writes those of a server that keeps its connections. */
export class ResponseText {
  readonly #clock: Pick<Clock, "now">;
  readonly #server: Pick<Server, "keepAliveTimeout">;
  #second = Number.NaN;
  #date = "";

  constructor(clock: Pick<Clock, "now">, server: Pick<Server, "keepAliveTimeout">) {
    this.#clock = clock;
    this.#server = server;
  }

  format({ status, headers, body }: DirectAnswer): string {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
    for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
    const seconds = Math.floor(this.#server.keepAliveTimeout / 1000);
    const keepAlive = seconds > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : "";
    return `${text}Date: ${this.#dateText()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n${body}`;
  }

  #dateText(): string {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = new Date(second * 1000).toUTCString();
    }
    return this.#date;
  }
}
