import { systemClock } from "../../lib/clock.ts";
import { ApiError } from "../declare/errors.ts";
import type { WatchEvent, WatchOptions, WatchRequest } from "./watchStream.ts";

export interface SendOptions {
  /** Cancels the wait; the message may be sent already. */
  readonly signal?: AbortSignal;
  /** How long to wait for the trace; a minute by default. */
  readonly timeoutMs?: number;
}

type RequestBody = Readonly<Record<string, unknown>>;

interface SendModules {
  readonly ask: (
    name: string,
    args: RequestBody,
    call?: { readonly signal: AbortSignal },
  ) => Promise<{ readonly body: RequestBody }>;
  readonly watch: (request: WatchRequest, options?: WatchOptions) => AsyncGenerator<WatchEvent>;
  /** The address of the stream, for errors. */
  readonly url: string;
}

const usualWaitMs = 60_000;
/** An account refuses a message that it took a moment ago, too: the trace of such a message comes within this time. */
const graceMs = 10_000;

/** Sends an external message and waits for everything that it causes. */
export async function sendAndWait(
  { ask, watch, url }: SendModules,
  boc: string,
  { timeoutMs = usualWaitMs, signal }: SendOptions = {},
): Promise<WatchEvent> {
  const call = signal && { signal };
  const { body: info } = await ask("masterchainInfo", {}, call);
  const { body: sent } = await ask("message", { boc }, call);
  const hash = String(sent.message_hash_norm);
  const beginning = { trace_external_hash_norms: [hash], from_mc_seqno: Number(Object(info.last).seqno) };
  const until = systemClock.monotonic() + timeoutMs;
  const hear = async (types: WatchRequest["types"], isWanted: (event: WatchEvent) => boolean, maxMs: number) => {
    const leftMs = Math.max(0, Math.min(until - systemClock.monotonic(), maxMs));
    for await (const event of watch({ types, ...beginning }, { timeoutMs: leftMs, ...call }))
      if (isWanted(event)) return event;
    return undefined;
  };
  const isTrace = ({ type }: WatchEvent) => type === "trace";
  const heard = await hear(["trace", "messages"], (event) => isTrace(event) || isFailure(event), timeoutMs);
  if (heard === undefined) {
    const text = `sendAndWait: the trace of ${hash} did not come within ${timeoutMs} ms`;
    throw new ApiError("api/no-trace", text, { data: { url, hash } });
  }
  const trace = isTrace(heard) ? heard : await hear(["trace"], isTrace, graceMs);
  if (trace === undefined) throw failureOf(heard, url, hash);
  return trace;
}

function isFailure({ type, status }: WatchEvent): boolean {
  return type === "messages" && (status === "refused" || status === "expired");
}

function failureOf({ status, exit_code: code }: WatchEvent, url: string, hash: string): ApiError {
  const exitCode = typeof code === "number" ? code : undefined;
  const error =
    status === "expired"
      ? "the message has expired"
      : `the account refuses the message${exitCode === undefined ? "" : ` with exit code ${exitCode}`}`;
  const data = { url, error, hash, ...(exitCode !== undefined && { exitCode }) };
  return new ApiError("api/message", `sendAndWait: ${error}`, { data });
}
