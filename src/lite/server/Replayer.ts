import { readFileSync } from "node:fs";
import { fromBase64, toHex } from "../../lib/bytes.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { RoomCode } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { closedBy, LiteError, liteErrorCodes } from "../errors.ts";
import { wrapQuery } from "../tl/queryEnvelope.ts";
import type { AskOptions, LiteServer } from "./LiteServer.ts";

type Outcome =
  | { readonly kind: "answered"; readonly response: string }
  | { readonly kind: "failed"; readonly code: RoomCode<"lite">; readonly message: string };

interface Replies {
  readonly outcomes: Outcome[];
  next: number;
}

/**
 * A `LiteServer` that answers from a recording. A repeated query gets the recorded replies in their order, then the
 * last one again; a query that was not recorded rejects with `lite/record`.
 */
export class Replayer implements LiteServer {
  readonly #replies = new Map<string, Replies>();
  readonly #lifetime = new Lifetime(closedBy);

  /** Reads the lines of a recording. */
  constructor(recording: string) {
    const lines = recording.split("\n");
    lines.forEach((line, index) => {
      // A killed process leaves its last line incomplete; the lines before it are valid.
      const cut = index === lines.length - 1;
      const exchange = line === "" ? undefined : parseExchange(line, index + 1, cut);
      if (exchange !== undefined) this.#add(exchange.request, exchange.outcome);
    });
  }

  static fromFile(path: string): Replayer {
    return new Replayer(readFileSync(path, "utf8"));
  }

  async ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    throwIfAborted(signal);
    this.#lifetime.throwIfEnded();
    const request = toHex(wrapQuery(query));
    const outcome = this.#nextOutcome(request);
    if (outcome === undefined)
      throw new LiteError("lite/record", `the recording does not contain the query ${excerpt(request)}`);
    if (outcome.kind === "failed") throw new LiteError(outcome.code, outcome.message);
    return fromBase64(outcome.response);
  }

  async close(): Promise<void> {
    await this.#lifetime.close(new LiteError("lite/closed", "the recording is closed"));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
  }

  #add(request: string, outcome: Outcome): void {
    const known = this.#replies.get(request);
    if (known === undefined) this.#replies.set(request, { outcomes: [outcome], next: 0 });
    else known.outcomes.push(outcome);
  }

  #nextOutcome(request: string): Outcome | undefined {
    const replies = this.#replies.get(request);
    const outcome = replies?.outcomes[replies.next];
    if (replies !== undefined && replies.next < replies.outcomes.length - 1) replies.next += 1;
    return outcome;
  }
}

function parseExchange(line: string, number: number, mayBeCut: boolean) {
  try {
    return decodeExchange(JSON.parse(line));
  } catch (cause) {
    if (mayBeCut) return undefined;
    throw new LiteError("lite/record", `line ${number} of the recording cannot be read: ${excerpt(line)}`, { cause });
  }
}

function decodeExchange(json: unknown): { readonly request: string; readonly outcome: Outcome } {
  const { request, response, error } = fieldsOf(json);
  if (typeof request !== "string" || !(response === null || typeof response === "string"))
    throw new LiteError("lite/record", "a recorded exchange has a request and a response, or null for none");
  return { request, outcome: typeof response === "string" ? { kind: "answered", response } : failure(error) };
}

/** Errors keep their code where it is one of ours; a caller's deadline is replayed as a timeout. */
function failure(error: unknown): Outcome {
  const { code, message } = fieldsOf(error ?? {});
  const text = typeof message === "string" ? message : "no answer was recorded";
  return { kind: "failed", code: isLiteCode(code) ? code : "lite/timeout", message: text };
}

function isLiteCode(code: unknown): code is RoomCode<"lite"> {
  return typeof code === "string" && Object.hasOwn(liteErrorCodes, code);
}

function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null) throw new LiteError("lite/record", "a recorded exchange is an object");
  return { ...json };
}

function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
