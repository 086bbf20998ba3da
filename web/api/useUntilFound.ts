import { useRef } from "preact/hooks";
import { type Ask, keyOf } from "./ask.ts";
import { useHead } from "./live.ts";
import { type Loaded, useAsk } from "./useAsk.ts";

/**
 * Runs a request with every new block until its answer has what is wanted: what was just sent will be in a block soon.
 */
export function useUntilFound<Answer>(
  ask: Ask<Answer> | undefined,
  isFound: (answer: Answer) => boolean,
): Loaded<Answer> {
  const { seqno } = useHead();
  const key = ask === undefined ? "" : keyOf(ask);
  const found = useRef("");
  const version = useRef(seqno);
  if (found.current !== key) version.current = seqno;
  const loaded = useAsk(ask, version.current);
  if (loaded.kind === "ok" && isFound(loaded.data)) found.current = key;
  return loaded;
}
