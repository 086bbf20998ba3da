import type { Clock } from "../../lib/clock.ts";
import type { RunMethod, Signatures } from "../answers/kit/AnswerContext.ts";
import { type ImportProgress, importChain } from "../ledger/importChain.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { LocalLiteServer } from "../network/LocalLiteServer.ts";
import { readRecordedSignatures } from "./recordedSignatures.ts";

export interface RecordingOptions {
  /** Measures waiting; the reported time is that of the recording. */
  readonly clock: Clock;
  /** Runs get-methods; called with the ledger to read. */
  readonly makeRunMethod?: (ledger: Ledger) => RunMethod;
  readonly onProgress?: ImportProgress;
}

/** A clock for a recorded chain: fixed at the time of the newest block, while waits use `clock`. */
export function recordingClock(ledger: Ledger, clock: Clock): Clock {
  return {
    now: () => (ledger.head?.info.genUtime ?? 0) * 1000,
    monotonic: () => clock.monotonic(),
    timer: (delayMs, fire) => clock.timer(delayMs, fire),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}

/**
 * A recorded chain as a lite server: it accepts no messages, does not grow, and its time is that of its last block. It
 * proves its head if the recording has the signatures of its key blocks and of the head.
 */
export function openRecording(
  folder: string,
  { clock, makeRunMethod, onProgress }: RecordingOptions,
): { readonly ledger: Ledger; readonly server: LocalLiteServer } {
  const ledger = importChain(folder, onProgress);
  const runMethod = makeRunMethod?.(ledger);
  const options = runMethod === undefined ? {} : { runMethod };
  const signed = readRecordedSignatures(folder);
  const signatures: Signatures = ({ rootHash }) => signed.get(rootHash);
  const server = new LocalLiteServer({ ledger, clock: recordingClock(ledger, clock), signatures, ...options });
  return { ledger, server };
}
