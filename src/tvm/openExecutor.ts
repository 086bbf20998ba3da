import type { Clock } from "../lib/clock.ts";
import { plainAddress } from "../model/Address.ts";
import { CryptoThread } from "./crypto/CryptoThread.ts";
import type { Executor, TransactionRun } from "./Executor.ts";
import { TvmError } from "./errors.ts";
import { supportedGlobalVersion } from "./globalVersion.ts";
import { receiverOf } from "./phases/receive.ts";
import { runGetMethod } from "./run/getMethod.ts";
import { RunQueue } from "./run/RunQueue.ts";
import type { RunHost } from "./run/runCode.ts";
import { runTickTock, runTransaction } from "./run/transaction.ts";

export interface ExecutorOptions {
  /** How long the code of one run may keep threads busy, in all; waiting does not count. */
  readonly maxRunMs?: number;
}

/** An executor that lives: `close` lets runs under way end. */
export interface LiveExecutor extends Executor {
  close(): Promise<void>;
}

/** More than any code takes within the gas of the network, and less than a request may take. */
const defaultMaxRunMs = 10_000;

/**
 * Opens the executor of a process. Code runs on the calling thread, in slices between which others get their turn; functions
 * that take milliseconds run on a thread of their own, and there is one more for runs that go first.
 */
export async function openExecutor(
  { maxRunMs = defaultMaxRunMs }: ExecutorOptions,
  { clock }: { readonly clock: Pick<Clock, "monotonic"> },
): Promise<LiveExecutor> {
  const threads = { first: new CryptoThread(clock), last: new CryptoThread(clock) };
  const host: RunHost = {
    queue: new RunQueue(clock),
    compute: ({ owner }, call, signal) => threads[owner.isFirst ? "first" : "last"].call(owner.caller, call, signal),
    maxRunMs,
  };
  const runs = new Set<Promise<unknown>>();
  let isClosed = false;
  const track = async <T>(start: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new TvmError("tvm/closed", "the executor is closed");
    const run = start();
    const forget = () => runs.delete(run);
    runs.add(run);
    run.then(forget, forget);
    return run;
  };
  return {
    supportedGlobalVersion,
    runGetMethod: (run, signal) => track(() => runGetMethod(run, host, signal)),
    runTransaction: (run, signal) =>
      track(async () => {
        checkDestination(run);
        return runTransaction(run, host, signal);
      }),
    runTickTock: (run, signal) => track(() => runTickTock(run, host, signal)),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(runs);
      await Promise.all([threads.first.close(), threads.last.close()]);
    },
  };
}

/** The rules do not look: they would run the code of one account over the message to another. */
function checkDestination({ account, message }: TransactionRun): void {
  const found = account.account.load();
  const receiver = receiverOf(message);
  if (found.kind === "account" && plainAddress(found.address) !== receiver)
    throw new TvmError("tvm/input", `a message for ${receiver} on another account`);
}
