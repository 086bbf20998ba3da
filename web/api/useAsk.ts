import { useEffect, useRef, useState } from "preact/hooks";
import { type Ask, keyOf } from "./ask.ts";
import { AskError, findData, run } from "./run.ts";

/** The state of a request. Older data stays while new data is loading. */
export type Loaded<Answer> =
  | { readonly kind: "idle" }
  | { readonly kind: "loading" }
  | { readonly kind: "ok"; readonly data: Answer }
  | { readonly kind: "failed"; readonly error: AskError };

interface Held<Answer> {
  readonly key: string;
  /** The version of the request; older data is shown until newer data arrives. */
  readonly version: number;
  readonly loaded: Loaded<Answer>;
}

const idle = { kind: "idle" } as const;
const loading = { kind: "loading" } as const;

/** Runs a request, and again when `version` changes. Without a request it stays idle. */
export function useAsk<Answer>(ask: Ask<Answer> | undefined, version = 0): Loaded<Answer> {
  const key = ask === undefined ? "" : keyOf(ask);
  const [held, setHeld] = useState<Held<Answer>>({ key: "", version, loaded: idle });
  const newest = useRef(ask);
  newest.current = ask;
  useEffect(() => {
    const wanted = newest.current;
    if (wanted === undefined) return;
    const controller = new AbortController();
    const finish = (loaded: Loaded<Answer>) => {
      if (!controller.signal.aborted) setHeld({ key, version, loaded });
    };
    run(wanted, controller.signal).then(
      (data) => finish({ kind: "ok", data }),
      (error: unknown) => finish({ kind: "failed", error: asAskError(error) }),
    );
    return () => controller.abort();
  }, [key, version]);
  if (ask === undefined) return idle;
  if (held.key === key) return held.loaded;
  const known = findData(ask);
  return known === undefined ? loading : { kind: "ok", data: known };
}

export function asAskError(error: unknown): AskError {
  return error instanceof AskError ? error : new AskError(0, String(error), { cause: error });
}
