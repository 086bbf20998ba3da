import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { AnswerNotes } from "../declare/AnswerNotes.ts";
import type { AnswerTime, ApiVersion, Refusal } from "../declare/ApiVersion.ts";
import type { Caller } from "../declare/Caller.ts";
import type { Metrics, Via } from "../metrics.ts";
import type { RunOutcome } from "./EndpointRunner.ts";

export interface AnswerHeadModules {
  readonly apiVersion: Pick<ApiVersion<never>, "version" | "contentType" | "isTimed">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nextId: () => string;
}

/** Headers of every answer that pages of other origins may read; answers with more headers name those. */
const exposedHeaders = "X-API-Version, X-Request-Id, Retry-After, Server-Timing";
const goodId = /^[\w.:-]{1,64}$/;

/** The headers, the metrics and the log line of the answer to one request, however its bytes are sent. */
export class AnswerHead {
  readonly id: string;
  /** The name of the endpoint, once known. */
  name: string;
  caller: Caller = { kind: "open" };
  readonly #via: Via;
  readonly #requestHeaders: IncomingHttpHeaders;
  readonly #modules: AnswerHeadModules;
  readonly #startedAt: number;
  #unknown: readonly string[] | undefined;

  constructor(name: string, via: Via, requestHeaders: IncomingHttpHeaders, modules: AnswerHeadModules) {
    const requestHeader = requestHeaders["x-request-id"];
    this.#startedAt = modules.clock.monotonic();
    this.#via = via;
    this.#requestHeaders = requestHeaders;
    this.#modules = modules;
    this.name = name;
    this.id = typeof requestHeader === "string" && goodId.test(requestHeader) ? requestHeader : modules.nextId();
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

  moment(): AnswerTime {
    const { clock } = this.#modules;
    return { nowMs: clock.now(), elapsedMs: clock.monotonic() - this.#startedAt };
  }

  /** Alternating names and values: those of every answer, and its own. */
  headers(length: number, own: readonly string[]): string[] {
    const more = this.#unknown === undefined ? own : [...own, ...this.#unknown];
    const { version, contentType = "application/json", isTimed = false } = this.#modules.apiVersion;
    return [
      ...(more[0] === "Content-Type" ? [] : ["Content-Type", contentType]),
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
  }

  /** The own headers of a success. */
  outcomeHeaders({ encoded: { notes }, source }: RunOutcome): readonly string[] {
    const trace = this.#traceHeaders(notes);
    return trace.length === 0 ? notes.headers : [...notes.headers, ...trace, "X-Tongate-Cache", source];
  }

  /** The own headers of an error. */
  refusalHeaders({ status, headers = [] }: Refusal, error: unknown, notes: AnswerNotes | undefined): readonly string[] {
    return [...errorHeaders(status, error), ...headers, ...this.#traceHeaders(notes)];
  }

  /** Whether the caller already has an answer with these headers, by its `ETag` (RFC 9110, 13.1.2). */
  isUnchanged(headers: readonly string[]): boolean {
    const known = this.#requestHeaders["if-none-match"];
    if (known === undefined) return false;
    const tag = headers[headers.indexOf("ETag") + 1];
    return headers.includes("ETag") && known.split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
  }

  /** Counts and logs the answer. */
  note(status: number, bytes: number): void {
    const { metrics, clock, log } = this.#modules;
    const ms = clock.monotonic() - this.#startedAt;
    metrics.requests.add(this.name, this.#via, status, ms / 1000, bytes);
    log.debug("answered", { request: this.id, endpoint: this.name, via: this.#via, status, ms, bytes });
  }

  /** How the answer was made, on request. */
  #traceHeaders(notes: AnswerNotes | undefined): readonly string[] {
    if (this.#requestHeaders["x-tongate-trace"] !== "1") return [];
    const ms = Math.round(this.moment().elapsedMs * 1000) / 1000;
    return [...(notes?.whyHeaders() ?? []), "X-Tongate-Ms", String(ms)];
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
