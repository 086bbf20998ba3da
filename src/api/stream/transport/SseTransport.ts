import type { ServerResponse } from "node:http";
import type { Transport } from "./Transport.ts";

/** Server-sent events over an answer that does not end. */
export class SseTransport implements Transport {
  readonly #response: ServerResponse;
  readonly #eventLine: string;

  /** `named` writes `event: event` before each event, as the interface has it; pages of browsers hear those without. */
  constructor(response: ServerResponse, style: "named" | "plain") {
    this.#response = response;
    this.#eventLine = style === "named" ? "event: event\n" : "";
  }

  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  get needsDrain(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** The first frame, before any event. */
  connected(json: string, cursor: string | undefined): void {
    const retry = this.#eventLine === "" ? "retry: 1000\n" : "";
    this.#response.write(`${retry}event: connected\n${idLine(cursor)}data: ${json}\n\n`);
  }

  send(json: string, cursor: string | undefined): void {
    this.#response.write(`${this.#eventLine}${idLine(cursor)}data: ${json}\n\n`);
  }

  keepAlive(cursor: string | undefined): void {
    this.#response.write(`: keepalive\n${idLine(cursor)}\n`);
  }

  onDrain(listener: () => void): void {
    this.#response.once("drain", listener);
  }

  close(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}

function idLine(cursor: string | undefined): string {
  return cursor === undefined ? "" : `id: ${cursor}\n`;
}
