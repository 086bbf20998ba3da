import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import type { LeftMessage } from "./mixTrace.ts";
import type { PendingTrace } from "./PendingTrace.ts";
import type { PendingMessage } from "./pendingRun.ts";

/** A sent message and the state of its emulation. */
export interface PendingEntry extends PendingMessage {
  /** The number of runs. */
  runs: number;
  /** The places of earlier messages that its last run depended on. */
  met: ReadonlySet<number>;
  /** A server that has not reached this block must not be used, because it knows less than was already reported. */
  notBefore: number;
  /** Whether the chain has accepted it: then only the index knows more. */
  hasLanded: boolean;
  /** The remaining messages to run after it has landed. */
  rest: PendingRest | undefined;
  /** Messages of the chain that were run for it, by hash. */
  readonly tried: Set<Hash>;
}

/** A trace that went differently on the chain than predicted. */
export interface PendingRest {
  readonly of: PendingTrace;
  readonly mixed: Trace;
  readonly left: readonly LeftMessage[];
}

/** A message that was not run yet. */
export function makeEntry(message: PendingMessage): PendingEntry {
  const nothing = { runs: 0, met: new Set<number>(), notBefore: 0, hasLanded: false, rest: undefined };
  return { ...message, ...nothing, tried: new Set() };
}

/** The largest number of messages of one trace that are run again at once. */
const maxLeft = 8;

/** Messages that the chain has sent for it and that were not run yet. */
export function listUntried({ tried }: PendingEntry, left: readonly LeftMessage[]): readonly LeftMessage[] {
  return left.filter(({ sender, message }) => !sender.emulated && !tried.has(message.hash)).slice(0, maxLeft);
}

/** A trace that changes or fails this often is not run again. */
const maxRuns = 32;

export function isExhausted({ runs }: PendingEntry): boolean {
  return runs >= maxRuns;
}
