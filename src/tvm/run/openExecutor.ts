import type { Clock } from "../../lib/clock.ts";
import type { Executor, TransactionRun } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { supportedGlobalVersion } from "../globalVersion.ts";
import type { CryptoThread } from "../thread/CryptoThread.ts";
import { runGetMethod } from "./getMethod.ts";
import { RunQueue } from "./RunQueue.ts";
import type { RunHost } from "./runCode.ts";

export interface ExecutorOptions {
  /** How long the code of one run may keep threads busy, in all; waiting does not count. */
  readonly maxRunMs?: number;
}

/** An executor that lives: `close` waits for active runs. */
export interface LiveExecutor extends Executor {
  close(): Promise<void>;
}

/** More than any code takes within the gas of the network, and less than a request may take. */
const defaultMaxRunMs = 10_000;

type Acceptance = typeof import("./acceptance.ts");
type Transactions = typeof import("./transaction.ts");

/** Loaded when first used, as transactions are: a process that only runs get-methods needs half of the room. */
async function openThread(clock: Pick<Clock, "monotonic">): Promise<CryptoThread> {
  const { CryptoThread } = await import("../thread/CryptoThread.ts");
  return new CryptoThread(clock);
}

let acceptance: Acceptance | undefined;
let transactions: Transactions | undefined;

async function inAcceptance<T>(start: (all: Acceptance) => Promise<T>, message: TransactionRun): Promise<T> {
  acceptance ??= await import("./acceptance.ts");
  acceptance.checkDestination(message);
  return start(acceptance);
}

async function inTransactions<T>(start: (all: Transactions) => Promise<T>, message?: TransactionRun): Promise<T> {
  transactions ??= await import("./transaction.ts");
  const all = transactions;
  return message === undefined ? start(all) : inAcceptance(() => start(all), message);
}

/**
 * Opens the executor of a process. Code runs on the calling thread, in slices between which others get their turn;
 * functions that take milliseconds run on a thread of their own, and there is one more for runs that go first.
 */
export async function openExecutor(
  { maxRunMs = defaultMaxRunMs }: ExecutorOptions,
  { clock }: { readonly clock: Pick<Clock, "monotonic"> },
): Promise<LiveExecutor> {
  const threads = new Map<"first" | "last", Promise<CryptoThread>>();
  const host: RunHost = {
    queue: new RunQueue(clock),
    compute: async ({ owner: { isFirst, caller } }, call, signal) => {
      const kind = isFirst ? "first" : "last";
      const thread = threads.get(kind) ?? openThread(clock);
      threads.set(kind, thread);
      return (await thread).call(caller, call, signal);
    },
    maxRunMs,
  };
  const runs = new Set<Promise<unknown>>();
  let isClosed = false;
  const track = <T>(start: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new TvmError("tvm/closed", "the executor is closed"));
    const run = start();
    const forget = () => runs.delete(run);
    runs.add(run);
    run.then(forget, forget);
    return run;
  };
  return {
    supportedGlobalVersion,
    runGetMethod: (run, signal) => track(() => runGetMethod(run, host, signal)),
    runTransaction: (run, signal) => track(() => inTransactions((all) => all.runTransaction(run, host, signal), run)),
    runAcceptance: (run, signal) => track(() => inAcceptance((all) => all.runAcceptance(run, host, signal), run)),
    runTickTock: (run, signal) => track(() => inTransactions((all) => all.runTickTock(run, host, signal))),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(runs);
      for (const thread of threads.values()) await (await thread).close();
    },
  };
}
