import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { LeftMessage } from "./mixTrace.ts";
import type { PendingTrace } from "./PendingTrace.ts";
import type { PendingMessage } from "./pendingRun.ts";

/** A message that was sent, and what was made of it so far. */
export interface PendingEntry extends PendingMessage {
  /** How often it was run. */
  runs: number;
  /** The places of those before it that it met when it was run last. */
  met: ReadonlySet<number>;
  /** A server that has not seen this block would know less than what is told already. */
  notBefore: number;
  /** Whether the chain was seen to have taken it: then only the index tells more. */
  hasLanded: boolean;
  /** What is to be run of it now that it has landed. */
  rest: PendingRest | undefined;
  /** Messages of the chain that were run for it, by hash. */
  readonly tried: Set<Hash>;
}

/** A trace that the chain took elsewhere than it was predicted. */
export interface PendingRest {
  readonly of: PendingTrace;
  readonly mixed: Trace;
  readonly left: readonly LeftMessage[];
}

/** A message of which nothing is known yet. */
export function makeEntry(message: PendingMessage): PendingEntry {
  const nothing = { runs: 0, met: new Set<number>(), notBefore: 0, hasLanded: false, rest: undefined };
  return { ...message, ...nothing, tried: new Set() };
}

/** So many messages of one trace are run anew at once. */
const mostLeft = 8;

/** Messages that the chain has sent for it and that were not run yet. */
export function listUntried({ tried }: PendingEntry, left: readonly LeftMessage[]): readonly LeftMessage[] {
  return left.filter(({ sender, message }) => !sender.emulated && !tried.has(message.hash)).slice(0, mostLeft);
}

/** A trace that so many others before it keep changing, or that fails so often, is left as it is. */
const mostRuns = 32;

export function isExhausted({ runs }: PendingEntry): boolean {
  return runs >= mostRuns;
}
