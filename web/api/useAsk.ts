import { useEffect, useRef, useState } from "preact/hooks";
import { type Ask, keyOf } from "./ask.ts";
import { Refresher } from "./Refresher.ts";
import { AskError, findData, run } from "./run.ts";

/** The state of a request. Older data stays while new data is loading. */
export type Loaded<Answer> =
  | { readonly kind: "idle" }
  | { readonly kind: "loading" }
  | { readonly kind: "ok"; readonly data: Answer }
  | { readonly kind: "failed"; readonly error: AskError };

interface Held<Answer> {
  readonly subject: string;
  readonly loaded: Loaded<Answer>;
}

const idle = { kind: "idle" } as const;
const loading = { kind: "loading" } as const;

/**
 * Runs a request, and again when `version` changes. Without a request it stays idle. Requests with the same `subject`
 * ask for the same thing, as it is later: what an older one has found is shown until the newer one is answered.
 */
export function useAsk<Answer>(
  ask: Ask<Answer> | undefined,
  version = 0,
  subject = ask === undefined ? "" : keyOf(ask),
): Loaded<Answer> {
  const [held, setHeld] = useState<Held<Answer>>({ subject: "", loaded: idle });
  const newest = useRef(ask);
  newest.current = ask;
  const refresh = useRefresher(subject, async (signal) => {
    const wanted = newest.current;
    if (wanted === undefined) return;
    const loaded = await runLoaded(wanted, signal);
    if (!signal.aborted) setHeld({ subject, loaded });
  });
  useEffect(refresh, [subject, ask === undefined ? "" : keyOf(ask), version]);
  if (ask === undefined) return idle;
  if (held.subject === subject) return held.loaded;
  const known = findData(ask);
  return known === undefined ? loading : { kind: "ok", data: known };
}

/** Makes something new of a subject, again with each call of the result, until the subject changes. */
export function useRefresher(subject: string, make: (signal: AbortSignal) => Promise<void>): () => void {
  const newest = useRef(make);
  newest.current = make;
  const refresher = useRef<Refresher | undefined>(undefined);
  useEffect(() => {
    const opened = new Refresher((signal) => newest.current(signal));
    refresher.current = opened;
    return () => opened.close();
  }, [subject]);
  return () => refresher.current?.refresh();
}

/** The answer of a request, or why there is none. */
export function runLoaded<Answer>(ask: Ask<Answer>, signal: AbortSignal): Promise<Loaded<Answer>> {
  return run(ask, signal).then(
    (data) => ({ kind: "ok", data }),
    (error: unknown) => ({ kind: "failed", error: asAskError(error) }),
  );
}

function asAskError(error: unknown): AskError {
  return error instanceof AskError ? error : new AskError(0, String(error), { cause: error });
}
