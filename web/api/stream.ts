import { apiKey } from "../browser/settings.ts";
import { neutral } from "../format/neutral.ts";
import { type Frame, FrameReader } from "./frames.ts";
import type { Block } from "./types.ts";

/** The subscription of one connection; streaming v2. */
export interface Subscription {
  readonly types: readonly string[];
  readonly addresses?: readonly string[];
  readonly trace_external_hash_norms?: readonly string[];
  readonly min_finality?: "pending" | "confirmed" | "finalized";
}

export interface StreamEvent {
  readonly type: string;
  readonly finality?: string;
  readonly mc_block?: Block;
}

export interface StreamHandlers {
  readonly onEvent: (event: StreamEvent) => void;
  /** `refused` is final: the server does not support the subscription. */
  readonly onState: (state: "open" | "broken" | "refused") => void;
}

export interface Stream {
  close(): void;
}

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** Keep-alives come every 5 s; a connection that is silent for longer is dead. */
const silenceMs = 20_000;

/** Keeps a subscription open. After a lost connection it resumes after the last cursor, so no event is missed. */
export function openStream(subscription: Subscription, handlers: StreamHandlers): Stream {
  const controller = new AbortController();
  void keepOpen(subscription, handlers, controller.signal);
  return { close: () => controller.abort() };
}

async function keepOpen(subscription: Subscription, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  let cursor = "";
  let waitMs = firstWaitMs;
  while (!signal.aborted) {
    const outcome = await readOnce(subscription, cursor, signal, (frame) => {
      waitMs = firstWaitMs;
      if (frame.id !== "") cursor = frame.id;
      if (frame.event === "connected") handlers.onState("open");
      else if (frame.data !== "") handlers.onEvent(JSON.parse(neutral(frame.data)));
    });
    if (signal.aborted) return;
    if (outcome === "refused") {
      handlers.onState("refused");
      return;
    }
    // The server no longer knows the cursor: start from now, because the page reloads the rest itself.
    if (outcome === "gone") cursor = "";
    handlers.onState("broken");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

type Outcome = "broken" | "gone" | "refused";

async function readOnce(
  subscription: Subscription,
  cursor: string,
  signal: AbortSignal,
  onFrame: (frame: Frame) => void,
): Promise<Outcome> {
  const connection = new AbortController();
  const stop = () => connection.abort();
  signal.addEventListener("abort", stop);
  let timer = setTimeout(stop, silenceMs);
  try {
    const response = await fetch("/api/streaming/v2/sse", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey() === "" ? {} : { "x-api-key": apiKey() }),
        ...(cursor === "" ? {} : { "last-event-id": cursor }),
      },
      body: JSON.stringify({ ...subscription, cursor: true }),
      signal: connection.signal,
    });
    if (response.status === 410) return "gone";
    if (response.status !== 200 || response.body === null)
      return response.status >= 500 || response.status === 429 ? "broken" : "refused";
    const frames = new FrameReader(onFrame);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "broken";
      clearTimeout(timer);
      timer = setTimeout(stop, silenceMs);
      frames.push(value);
    }
  } catch {
    // Reconnecting handles both a lost and a closed connection.
    return "broken";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
