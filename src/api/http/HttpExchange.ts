import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { LibError } from "../../lib/libErrors.ts";
import type { Log } from "../../lib/log.ts";
import type { Caller } from "../access/Caller.ts";
import type { AnswerTime, ApiVersion, Refusal } from "../declare/ApiVersion.ts";
import type { AnswerNotes } from "../declare/RequestContext.ts";
import type { Metrics, Via } from "../metrics.ts";
import type { AnswerMemory } from "./answers/AnswerWriter.ts";
import { closeGzip, type OpenGzip } from "./answers/gzip.ts";
import type { UnsentAnswers } from "./answers/UnsentAnswers.ts";
import { cutBytes, piecesFromBytes, writePieces } from "./answers/writePieces.ts";
import { type ByteText, toByteText } from "./byteText.ts";
import type { Call } from "./Call.ts";
import { CancelToken } from "./CancelToken.ts";
import { compressFromBytes, type EncodedAnswer } from "./EncodedAnswer.ts";
import type { RunOutcome } from "./EndpointRunner.ts";
import type { MaybePromise } from "./maybePromise.ts";
import { readAheadBytes, type ServedFile, sendFile } from "./routes/sendFile.ts";

export interface HttpExchangeFacts {
  readonly name: string;
  readonly via: Via;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface HttpExchangeModules {
  readonly apiVersion: Pick<ApiVersion<never>, "version" | "contentType" | "isTimed">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  /** Whether the server is stopping: each connection then closes after its current answer. */
  readonly isDraining: () => boolean;
  readonly unsent: UnsentAnswers;
}

/** Headers of every answer that pages of other origins may read; answers with more headers name those. */
const exposedHeaders = "X-API-Version, X-Request-Id, Retry-After, Server-Timing";
const goodId = /^[\w.:-]{1,64}$/;

/** One request and its answer. */
export class HttpExchange implements Call {
  readonly request: IncomingMessage;
  readonly id: string;
  /** The name of the endpoint, once known. */
  name: string;
  caller: Caller = { kind: "open" };
  readonly #facts: HttpExchangeFacts;
  readonly #modules: HttpExchangeModules;
  readonly #startedAt: number;
  #gone: CancelToken | undefined;
  #unknown: readonly string[] | undefined;

  constructor(facts: HttpExchangeFacts, modules: HttpExchangeModules) {
    const given = facts.request.headers["x-request-id"];
    this.#startedAt = modules.clock.monotonic();
    this.#facts = facts;
    this.#modules = modules;
    this.request = facts.request;
    this.name = facts.name;
    this.id = typeof given === "string" && goodId.test(given) ? given : modules.nextId();
  }

  /** Whether the request has parameters that its endpoint does not know. */
  get hasUnknown(): boolean {
    return this.#unknown !== undefined;
  }

  /** Names unknown parameters in a header of the answer. */
  noteUnknown(names: readonly string[]): void {
    const shown = names.slice(0, 10).map((name) => name.slice(0, 40).replace(/[^\w.[\]-]/g, "?"));
    this.#unknown = ["X-Tongate-Unknown-Parameters", shown.join(", ")];
  }

  get log(): Log {
    return this.#modules.log.child({ request: this.id });
  }

  /** A call of this request whose answer is counted elsewhere. */
  countedBy(memory: AnswerMemory): Call {
    const { id, caller, log } = this;
    return { id, caller, log, gone: () => this.gone(), memory };
  }

  gone(): CancelToken {
    this.#gone ??= this.#watchConnection();
    return this.#gone;
  }

  #watchConnection(): CancelToken {
    const gone = new CancelToken();
    const { response } = this.#facts;
    response.once("close", () => {
      if (!response.writableFinished) gone.cancel(new LibError("lib/aborted", "given up by the caller"));
    });
    return gone;
  }

  moment(): AnswerTime {
    const { clock } = this.#modules;
    return { nowMs: clock.now(), elapsedMs: clock.monotonic() - this.#startedAt };
  }

  /** Sends a complete answer. */
  send(status: number, body: ByteText, headers: readonly string[] = []): void {
    // A string is sent together with its header, in one write.
    this.#begin(status, body.length, headers).end(body, "latin1");
    this.#note(status, body.length);
  }

  /** Sends a result in its envelope, compressed if it is large and the client supports it. */
  sendOutcome(outcome: RunOutcome, beginning: ByteText, end: ByteText): MaybePromise<void> {
    const { encoded } = outcome;
    const headers = this.#outcomeHeaders(outcome);
    if (isUnchanged(headers, this.request.headers["if-none-match"])) {
      this.send(304, "" as ByteText, headers);
      return;
    }
    if (encoded.length < compressFromBytes || !acceptsGzip(this.request.headers["accept-encoding"])) {
      const vary = encoded.length < compressFromBytes ? [] : ["Vary", "Accept-Encoding"];
      this.sendPieces([beginning, ...encoded.pieces, end], [...headers, ...vary], encoded);
      return;
    }
    return this.#pack(encoded, beginning).then((open) => {
      const parts = closeGzip(open, end);
      const packing = ["Content-Encoding", "gzip", "Vary", "Accept-Encoding"];
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const response = this.#begin(200, length, [...headers, ...packing], open);
      if (length < piecesFromBytes) response.end(Buffer.concat(parts));
      else writePieces(response, cutBytes(parts));
      this.#note(200, beginning.length + encoded.length + end.length);
    });
  }

  /** Sends a file in pieces, of which only those read ahead count as unsent. */
  async sendFile(file: ServedFile): Promise<void> {
    const { response } = this.#facts;
    const { unsent, isDraining, apiVersion } = this.#modules;
    unsent.take(response, readAheadBytes);
    if (isDraining()) response.shouldKeepAlive = false;
    await sendFile(response, file, ["X-API-Version", apiVersion.version, "X-Request-Id", this.id]);
    this.#note(200, file.bytes);
  }

  /** The text is in memory while it is compressed. */
  async #pack(encoded: EncodedAnswer, beginning: ByteText): Promise<OpenGzip> {
    const { unsent } = this.#modules;
    const bytes = encoded.length < piecesFromBytes ? 0 : encoded.length;
    unsent.reserve(bytes);
    try {
      return await encoded.packed(beginning);
    } finally {
      unsent.release(bytes);
    }
  }

  /** Sends a complete answer in pieces; `text` is what holds them in memory. */
  sendPieces(pieces: readonly ByteText[], headers: readonly string[] = [], text?: object): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length < piecesFromBytes) {
      this.send(200, pieces.join("") as ByteText, headers);
      return;
    }
    writePieces(this.#begin(200, length, headers, text), pieces);
    this.#note(200, length);
  }

  /** Sends an error; impossible once an answer has started. */
  refuse({ status, body, headers = [] }: Refusal, error: unknown, notes: AnswerNotes | undefined): void {
    if (this.#facts.response.headersSent) {
      this.#facts.response.destroy();
      return;
    }
    this.send(status, toByteText(body), [...errorHeaders(status, error), ...headers, ...this.#traceHeaders(notes)]);
  }

  #begin(status: number, length: number, own: readonly string[], text?: object): ServerResponse {
    const more = this.#unknown === undefined ? own : [...own, ...this.#unknown];
    const { response } = this.#facts;
    this.#modules.unsent.take(response, length, text);
    if (this.#modules.isDraining()) response.shouldKeepAlive = false;
    const { version, contentType = "application/json", isTimed = false } = this.#modules.apiVersion;
    const headers = [
      "Content-Type",
      contentType,
      "X-Content-Type-Options",
      "nosniff",
      "X-API-Version",
      version,
      "Access-Control-Allow-Origin",
      "*",
      "Access-Control-Expose-Headers",
      more.length === 0 ? exposedHeaders : exposing(more),
      "X-Request-Id",
      this.id,
      "Content-Length",
      String(length),
      ...(isTimed ? ["Server-Timing", `app;dur=${Math.round(this.moment().elapsedMs * 1000) / 1000}`] : []),
      ...more,
    ];
    return response.writeHead(status, headers);
  }

  #outcomeHeaders({ encoded: { notes }, source }: RunOutcome): readonly string[] {
    const trace = this.#traceHeaders(notes);
    return trace.length === 0 ? notes.headers : [...notes.headers, ...trace, "X-Tongate-Cache", source];
  }

  /** How the answer was made, on request. */
  #traceHeaders(notes: AnswerNotes | undefined): readonly string[] {
    if (this.request.headers["x-tongate-trace"] !== "1") return [];
    const ms = Math.round(this.moment().elapsedMs * 1000) / 1000;
    return [...(notes?.whyHeaders() ?? []), "X-Tongate-Ms", String(ms)];
  }

  #note(status: number, bytes: number): void {
    const { metrics, clock, log } = this.#modules;
    const ms = clock.monotonic() - this.#startedAt;
    metrics.requests.add(this.name, this.#facts.via, status, ms / 1000, bytes);
    log.debug("answered", { request: this.id, endpoint: this.name, via: this.#facts.via, status, ms, bytes });
  }
}

/** Alternating names and values: names that start with X and are not exposed by default. */
function exposing(headers: readonly string[]): string {
  const names = headers.filter((name, at) => at % 2 === 0 && name.startsWith("X-"));
  return [exposedHeaders, ...names].join(", ");
}

/** When to retry, and the allowed rate. */
function errorHeaders(status: number, error: unknown): string[] {
  if (isCoded(error, "api/limit")) {
    const { retryMs, resetMs, perSecond, remaining } = error.data;
    return [
      "Retry-After",
      String(Math.max(1, Math.ceil(retryMs / 1000))),
      "X-RateLimit-Limit",
      String(perSecond),
      "X-RateLimit-Remaining",
      String(remaining),
      "X-RateLimit-Reset",
      String(Math.ceil(resetMs / 1000)),
    ];
  }
  if (isCoded(error, "api/method")) return ["Allow", error.data.allowed];
  // After a partly read body the connection cannot be used for another request.
  return status === 503 ? ["Retry-After", "1"] : isCoded(error, "api/body-size") ? ["Connection", "close"] : [];
}

/** Whether the caller already has this answer, by its `ETag` (RFC 9110, 13.1.2). */
function isUnchanged(headers: readonly string[], known: string | undefined): boolean {
  if (known === undefined) return false;
  const tag = headers[headers.indexOf("ETag") + 1];
  return headers.includes("ETag") && known.split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
}

/** `gzip` or `*` in the list, unless its weight is zero (RFC 9110, 12.5.3). */
function acceptsGzip(accepted: string | readonly string[] | undefined): boolean {
  return String(accepted ?? "")
    .split(",")
    .some((each) => /^\s*(?:gzip|\*)\s*(?:$|;(?!\s*q=0(?:\.0*)?\s*$))/i.test(each));
}
