import type { Cell } from "../../cell/Cell.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { Hash } from "../../model/Hash.ts";
import { loadInCell } from "../../model/Message.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { AccountRun, TickTockRun, TransactionOutcome, TransactionRun } from "../Executor.ts";
import type { MachineEnd, MachineInput } from "../machine/MachineRun.ts";
import type { StackValue } from "../machine/StackValue.ts";
import { fromVmValue } from "../machine/vmStack.ts";
import { loadAccountData } from "../phases/AccountData.ts";
import { act } from "../phases/action.ts";
import { bounce, isBounced } from "../phases/bounce.ts";
import { type ComputeInput, findOwnLibrary, finishCompute, prepareCompute } from "../phases/compute.ts";
import { credit } from "../phases/credit.ts";
import { Draft } from "../phases/Draft.ts";
import { finish } from "../phases/finish.ts";
import { receive, receiverOf } from "../phases/receive.ts";
import { rulesOf } from "../phases/rules.ts";
import { limitMessageBalance, payStorage } from "../phases/storage.ts";
import { RunLibraries } from "./RunLibraries.ts";
import type { QueuePlace } from "./RunQueue.ts";
import { type RunHost, runCode } from "./runCode.ts";
import { StepLog } from "./stepLog.ts";

/** A transaction up to its code: either the code is to be run and its outcome passed back, or there is none. */
type StartedTransaction =
  | {
      readonly kind: "code";
      readonly input: ComputeInput & Pick<MachineInput, "signatures">;
      /** Libraries that the account and its message bring. */
      readonly findOwnLibrary: (hash: Hash) => Cell | undefined;
      readonly finish: (end: MachineEnd, log: string) => TransactionOutcome;
    }
  | { readonly kind: "ended"; readonly outcome: TransactionOutcome };

/** Blocks that the code may access, as values of the machine. */
interface TransactionContext {
  readonly previousBlocks: StackValue;
}

/** Runs the transaction of a message on the calling thread. */
export function runTransaction(run: TransactionRun, host: RunHost, signal?: AbortSignal): Promise<TransactionOutcome> {
  return complete(run, () => startTransaction(run, surroundingsOf(run)), host, signal);
}

/** Runs a transaction without a message on the calling thread. */
export function runTickTock(run: TickTockRun, host: RunHost, signal?: AbortSignal): Promise<TransactionOutcome> {
  return complete(run, () => startTickTock(run, surroundingsOf(run)), host, signal);
}

function complete(
  run: AccountRun,
  start: () => StartedTransaction,
  host: RunHost,
  signal: AbortSignal | undefined,
): Promise<TransactionOutcome> {
  const atPlace = async (place: QueuePlace): Promise<TransactionOutcome> => {
    throwIfAborted(signal);
    const started = start();
    if (started.kind === "ended") return started.outcome;
    const log = new StepLog(run.log);
    const libraries = new RunLibraries(started.findOwnLibrary, run.findLibrary, signal);
    // Gas ends every transaction, and a block cannot leave one out because it takes long.
    const limits = run.turn === "first" ? { ...host, maxRunMs: Number.POSITIVE_INFINITY } : host;
    const end = await runCode({ ...started.input, ...listenerOf(run, log) }, libraries, limits, place, signal);
    return started.finish(end, log.textWith(end));
  };
  return host.queue.run(run, atPlace, signal);
}

function listenerOf({ onStep }: AccountRun, log: StepLog): Pick<MachineInput, "onStep"> {
  const { listener } = log;
  if (onStep === undefined) return listener;
  return {
    onStep: (step) => {
      listener.onStep?.(step);
      onStep(step);
    },
  };
}

function surroundingsOf({ previousBlocks }: AccountRun): TransactionContext {
  return { previousBlocks: previousBlocks === undefined ? null : fromVmValue(previousBlocks) };
}

/** Begins the transaction of a message: everything before its code runs. */
function startTransaction(run: TransactionRun, context: TransactionContext): StartedTransaction {
  const rules = rulesOf(run.config);
  const account = loadAccountData(run.account, receiverOf(run.message), rules);
  const draft = new Draft({ kind: "ordinary", rules, account, now: run.now, lt: run.lt });
  receive(draft, run.message);
  if (draft.message?.bounce === true) {
    payStorage(draft);
    credit(draft);
  } else if (draft.message?.isExternal === true) {
    payStorage(draft);
  } else {
    credit(draft);
    payStorage(draft);
    limitMessageBalance(draft);
  }
  return prepare(draft, run, context);
}

/** Begins a transaction without a message. */
function startTickTock(run: TickTockRun, context: TransactionContext): StartedTransaction {
  const rules = rulesOf(run.config);
  const account = loadAccountData(run.account, undefined, rules);
  const draft = new Draft({ kind: run.which, rules, account, now: run.now, lt: run.lt });
  payStorage(draft);
  return prepare(draft, run, context);
}

function prepare(draft: Draft, run: AccountRun, { previousBlocks }: TransactionContext): StartedTransaction {
  const input = prepareCompute(draft, { randomSeed: run.randomSeed, previousBlocks });
  if (input === undefined) return { kind: "ended", outcome: outcomeOf(draft, "") };
  return {
    kind: "code",
    input: run.signatures === undefined ? input : { ...input, signatures: run.signatures },
    findOwnLibrary: (hash) => findOwnLibrary(draft, hash),
    finish: (end, log) => {
      finishCompute(draft, end);
      return outcomeOf(draft, log);
    },
  };
}

function outcomeOf(draft: Draft, log: string): TransactionOutcome {
  const { compute, message } = draft;
  const result = compute?.kind === "vm" ? compute : undefined;
  if (message?.isExternal === true && result?.accepted !== true) {
    const reason = result === undefined ? "no code runs" : `the code ends with ${result.exitCode} and does not accept`;
    // Who asks for an exit code wants 0 where no code ran.
    return { kind: "notAccepted", exitCode: result?.exitCode ?? 0, reason: `message not accepted: ${reason}`, log };
  }
  const list = result?.committed?.c5;
  if (list !== undefined) act(draft, list);
  if (message !== undefined && isBounced(draft)) bounce(draft, message);
  const { transaction, account } = finish(draft);
  return {
    kind: "done",
    transaction: loadInCell(Transaction, transaction),
    account,
    actions: list,
    exitCode: result?.exitCode,
    gasUsed: BigInt(result?.gasUsed ?? 0),
    log,
  };
}
