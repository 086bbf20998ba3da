import { createWriteStream } from "node:fs";
import { toBase64, toHex } from "../../../src/lib/bytes.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { AskOptions, LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { decodeQuery, wrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";

function groupOf(bytes: Uint8Array): string {
  try {
    return decodeQuery(bytes).query.name.replace("liteServer.", "");
  } catch {
    // Malformed queries are recorded too; the server reports the error.
    return "bad";
  }
}

/** Opens a file for a recording; `close` rejects with `lite/record` if a write failed. */
export function openRecordFile(path: string): RecordSink {
  const file = createWriteStream(path);
  const finished = new Promise<void>((resolve, reject) => {
    file.on("close", resolve);
    file.on("error", (cause) => reject(new LiteError("lite/record", `cannot write ${path}`, { cause })));
  });
  finished.catch(() => {});
  return {
    write: (line) => {
      file.write(line);
    },
    close: () => {
      file.end();
      return finished;
    },
  };
}

/** A `LiteServer` that records all queries and answers of another one. */
export class Recorder implements LiteServer {
  readonly #server: LiteServer;
  readonly #sink: RecordSink;
  readonly #clock: Clock;

  constructor(server: LiteServer, sink: RecordSink, clock: Clock) {
    this.#server = server;
    this.#sink = sink;
    this.#clock = clock;
  }

  async ask(bytes: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    const startedMs = this.#clock.monotonic();
    try {
      const answer = await this.#server.ask(bytes, options);
      this.#write(bytes, startedMs, { response: toBase64(answer) });
      return answer;
    } catch (error) {
      const code = isCoded(error) ? error.code : "unknown";
      const message = error instanceof Error ? error.message : String(error);
      this.#write(bytes, startedMs, { response: null, error: { code, message } });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#sink.close();
  }

  destroy(reason: LiteError): void {
    this.#server.destroy(reason);
    // Destroying drops unwritten lines.
    this.#sink.close().catch(() => {});
  }

  #write(bytes: Uint8Array, startedMs: number, outcome: Pick<RecordedExchange, "response" | "error">): void {
    const ms = Math.round((this.#clock.monotonic() - startedMs) * 1_000) / 1_000;
    const request = toHex(wrapQuery(bytes));
    const exchange: RecordedExchange = { group: groupOf(bytes), request, ...outcome, ms };
    this.#sink.write(`${JSON.stringify(exchange)}\n`);
  }
}

/** Takes the lines of a recording. */
export interface RecordSink {
  write(line: string): void;
  close(): Promise<void>;
}

/** One line of a recording, in the format of our recorded networks; `Replayer` reads it. */
export interface RecordedExchange {
  /** The function's name without its prefix; only for readers of the file. */
  readonly group: string;
  /** Hex of the query inside `liteServer.query`. */
  readonly request: string;
  /** Base64 of the answer; null if there was none. */
  readonly response: string | null;
  /** Why there was no answer. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly ms: number;
}
