import { systemClock } from "../../lib/clock.ts";
import { ApiError } from "../declare/errors.ts";

/** What to subscribe to; the fields are those of `docs/streaming.md`. */
export interface WatchRequest {
  /** The kinds of events. */
  readonly types: readonly (
    | "transactions"
    | "actions"
    | "trace"
    | "account_state_change"
    | "jettons_change"
    | "blocks"
    | "messages"
  )[];
  /** The accounts, in any form; `*` for all where that is allowed. */
  readonly addresses?: readonly string[];
  /** All wallets of these jettons, by master. */
  readonly jettons?: readonly string[];
  /** All accounts with one of these codes. */
  readonly code_hashes?: readonly string[];
  /** Normalized hashes of messages, for `trace` and `messages`. */
  readonly trace_external_hash_norms?: readonly string[];
  /** The least certain events to send; `finalized` when left out. */
  readonly min_finality?: "pending" | "confirmed" | "finalized";
  /** Add friendly forms and domains of addresses. */
  readonly include_address_book?: boolean;
  /** Add names, images and other facts of tokens. */
  readonly include_metadata?: boolean;
  /** Only actions of these types. */
  readonly action_types?: readonly string[];
  /** The types of actions that the caller understands; all when left out. */
  readonly supported_action_types?: readonly string[];
  /** Only transactions whose incoming message has this body. */
  readonly msg_body_hash?: string;
  /** Send transactions of traces that go on with their own block, each once. */
  readonly partial?: boolean;
  /** Send an empty list when predicted actions do not happen. */
  readonly retract?: boolean;
  /** Begin with the newest state of everything that changed in the last 60 seconds. */
  readonly replay_existing?: boolean;
  /** The cursor after which to start: store the last one to resume after a restart of your program. */
  readonly after?: string;
  /** Begin with this masterchain block. */
  readonly from_mc_seqno?: number;
}

/** An event; `type` determines which fields it has. */
export interface WatchEvent {
  /** The kind of event. */
  readonly type: string;
  /** How certain it is. */
  readonly finality?: "pending" | "confirmed" | "finalized";
  /** Only in finalized events: pass it as `after` to resume after this one. */
  readonly cursor?: string;
  readonly [field: string]: unknown;
}

export interface WatchOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Ends the iteration after this time. */
  readonly timeoutMs?: number;
}

interface WatchModules extends WatchOptions {
  readonly apiKey?: string;
  readonly fetch?: typeof fetch;
}

const backoff = { firstMs: 500, maxMs: 8_000 };
/** The server sends a keep-alive every 5 seconds. */
const silentMs = 20_000;

/** Follows a stream, and resumes after the last event after every lost connection. */
export async function* watchStream(
  url: string,
  request: WatchRequest,
  modules: WatchModules,
): AsyncGenerator<WatchEvent> {
  const { timeoutMs, signal } = modules;
  const until = timeoutMs === undefined ? Number.POSITIVE_INFINITY : systemClock.monotonic() + timeoutMs;
  const { from_mc_seqno: from, ...rest } = request;
  let beginning: Partial<WatchRequest> = from === undefined ? {} : { from_mc_seqno: from };
  let waitMs = backoff.firstMs;
  const isStopped = () => signal?.aborted === true;
  while (!isStopped() && systemClock.monotonic() < until) {
    try {
      for await (const { event, cursor } of hearOnce(url, { ...rest, ...beginning, cursor: true }, modules, until)) {
        waitMs = backoff.firstMs;
        if (cursor !== undefined) beginning = { after: cursor };
        if (event !== undefined) yield event;
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === "api/refused" && !isTemporary(error)) throw error;
      if (isStopped()) throw cancelled(url, error);
    }
    try {
      await systemClock.sleep(Math.min(waitMs, Math.max(0, until - systemClock.monotonic())), signal);
    } catch (error) {
      throw cancelled(url, error);
    }
    waitMs = Math.min(waitMs * 2, backoff.maxMs);
  }
}

function cancelled(url: string, cause: unknown): ApiError {
  return new ApiError("api/unreachable", `watch: cancelled: ${cause}`, { data: { url }, cause });
}

function isTemporary(error: ApiError): boolean {
  const { status } = error.data as { readonly status?: number };
  return status === 429 || (status ?? 0) >= 500;
}

interface HeardFrame {
  readonly event: WatchEvent | undefined;
  readonly cursor: string | undefined;
}

async function* hearOnce(
  url: string,
  body: object,
  { apiKey, fetch = globalThis.fetch, signal }: WatchModules,
  until: number,
): AsyncGenerator<HeardFrame> {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal?.addEventListener("abort", end, { once: true });
  let cancelTimer = () => {};
  const alive = () => {
    cancelTimer();
    cancelTimer = systemClock.timer(Math.min(silentMs, until - systemClock.monotonic()), end);
  };
  try {
    alive();
    const headers = { "content-type": "application/json", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal: stop.signal });
    if (response.status !== 200 || response.body === null) throw await refusalOf(url, response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      alive();
      const frames = (rest + piece.value).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) yield readFrame(frame);
    }
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", end);
    stop.abort();
  }
}

async function refusalOf(url: string, response: Response): Promise<ApiError> {
  const text = await response.text();
  const { status } = response;
  return new ApiError("api/refused", `watch: ${text.slice(0, 200)}`, { data: { status, error: text, url } });
}

function readFrame(frame: string): HeardFrame {
  const lines = frame.split("\n");
  const find = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = find("data");
  const isEvent = data !== undefined && find("event") !== "connected";
  return { event: isEvent ? (JSON.parse(data) as WatchEvent) : undefined, cursor: find("id") };
}
