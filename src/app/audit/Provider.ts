import { type Clock, sleepBy } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../lib/json.ts";
import { toPrintable } from "../../lib/printable.ts";
import { askIndex, findV3Name, type Question, textsOf } from "./Question.ts";

/** What a service says to a question. */
export type ProviderAnswer =
  | { readonly kind: "answered"; readonly result: JsonValue }
  /** It gave no result; the reason in its words or ours. */
  | { readonly kind: "refused"; readonly reason: string };

export interface ProviderOptions {
  /** The base of its operations: `https://…/api/v2`. */
  readonly base: string;
  readonly apiKey: string | undefined;
  /** Requests a second. */
  readonly rate: number;
}

/** Operations that are asked by POST. */
const posted: ReadonlySet<string> = new Set(["runGetMethod", "runGetMethodStd"]);
const patienceMs = 30_000;
/** How often a refusal for the rate is waited for, and the longest such wait. */
const rateAttempts = 5;
const maxWaitMs = 30_000;
/** A longer answer is not read to its end. */
const maxAnswerBytes = 64 << 20;

/** Asks a service with the interface of TON Center, no faster than it allows. */
export class Provider {
  readonly #options: ProviderOptions;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #nextAtMs = 0;

  constructor(options: ProviderOptions, { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#options = options;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Rejects only when the audit ends. */
  async ask(question: Question): Promise<ProviderAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForTurn();
      const answer = await this.#send(question);
      if (answer.kind !== "limited") return answer;
      if (attempt === rateAttempts) return { kind: "refused", reason: "429: too many requests; use a lower --rate" };
      await sleepBy(this.#clock.timer, Math.min(answer.waitMs, maxWaitMs), this.#signal);
    }
  }

  /** The newest block in its index; undefined if it does not say, or has none. */
  async askIndexSeqno(): Promise<number | undefined> {
    const answer = await this.ask(askIndex("masterchainInfo", {}));
    const { last }: Partial<JsonObject> = answer.kind === "answered" ? Object(answer.result) : {};
    const seqno = Number(Object(last).seqno);
    return Number.isInteger(seqno) ? seqno : undefined;
  }

  async #waitForTurn(): Promise<void> {
    const nowMs = this.#clock.monotonic();
    const atMs = Math.max(nowMs, this.#nextAtMs);
    this.#nextAtMs = atMs + 1_000 / this.#options.rate;
    if (atMs > nowMs) await sleepBy(this.#clock.timer, atMs - nowMs, this.#signal);
  }

  async #send(question: Question): Promise<ProviderAnswer | { readonly kind: "limited"; readonly waitMs: number }> {
    const end = new AbortController();
    const cancel = this.#clock.timer(patienceMs, () => end.abort(new Error(`no answer in ${patienceMs / 1_000} s`)));
    try {
      const signal = AbortSignal.any([end.signal, this.#signal]);
      const response = await fetch(this.#urlOf(question), { ...this.#requestOf(question), signal });
      const text = await readText(response);
      if (response.status === 429) return { kind: "limited", waitMs: retryMs(response) };
      return findV3Name(question) === undefined
        ? readEnvelope(response.status, text)
        : readPlain(response.status, text);
    } catch (error) {
      this.#signal.throwIfAborted();
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      return { kind: "refused", reason: cause instanceof Error ? cause.message : String(cause) };
    } finally {
      cancel();
    }
  }

  #urlOf(question: Question): string {
    const { operation, args } = question;
    const name = findV3Name(question);
    const { base } = this.#options;
    const url = name === undefined ? `${base}/${operation}` : `${base.replace(/\/v2$/, "/v3")}/${name}`;
    if (posted.has(operation)) return url;
    const query = new URLSearchParams(textsOf(args));
    return query.size === 0 ? url : `${url}?${query}`;
  }

  #requestOf({ operation, args }: Question): RequestInit {
    const { apiKey } = this.#options;
    const headers = { Accept: "application/json", ...(apiKey !== undefined && { "X-API-Key": apiKey }) };
    if (!posted.has(operation)) return { headers };
    return {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(args),
    };
  }
}

function retryMs({ headers }: Response): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000;
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxAnswerBytes) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** The result in the envelope of v2. */
function readEnvelope(status: number, text: string): ProviderAnswer {
  const body = findJson(text);
  if (body === undefined) return { kind: "refused", reason: `${status}: the answer is not JSON` };
  const { ok, result, error }: Partial<JsonObject> = Object(body);
  if (ok === true && result !== undefined) return { kind: "answered", result };
  return {
    kind: "refused",
    reason: `${status}: ${typeof error === "string" ? toPrintable(error.slice(0, 200)) : "no result"}`,
  };
}

/** The result as v3 has it, without envelope. */
function readPlain(status: number, text: string): ProviderAnswer {
  const result = findJson(text);
  if (result === undefined) return { kind: "refused", reason: `${status}: the answer is not JSON` };
  if (status === 200) return { kind: "answered", result };
  const { error }: Partial<JsonObject> = Object(result);
  return {
    kind: "refused",
    reason: `${status}: ${typeof error === "string" ? toPrintable(error.slice(0, 200)) : "no result"}`,
  };
}

function findJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text, { maxDepth: 4_096, maxLength: maxAnswerBytes });
  } catch (error) {
    if (!isCoded(error)) throw error;
    return undefined;
  }
}
