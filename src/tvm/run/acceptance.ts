import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import type { VmStackValue } from "../../model/vm/VmStack.ts";
import type { AcceptedExternal, AccountRun, RefusedExternal, TransactionRun } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import type { StackValue } from "../machine/StackValue.ts";
import { fromVmValue } from "../machine/vmStack.ts";
import { loadAccountData } from "../phases/AccountData.ts";
import { findOwnLibrary, finishCompute, prepareCompute } from "../phases/compute.ts";
import type { Surroundings } from "../phases/context.ts";
import { Draft } from "../phases/Draft.ts";
import { receive, receiverOf } from "../phases/receive.ts";
import { rulesOf } from "../phases/rules.ts";
import { credit, limitMessageBalance, payStorage } from "../phases/storage.ts";
import { openLibraries } from "./RunLibraries.ts";
import type { QueueTicket } from "./RunQueue.ts";
import { type RunHost, runCode } from "./runCode.ts";
import { StepLog } from "./stepLog.ts";
import { addTransactionParts } from "./transactionParts.ts";

/** The rules do not look: they would run the code of one account over the message to another. */
export function checkDestination({ account, message }: TransactionRun): void {
  const slice = sliceOf(account.account.cell);
  const receiver = receiverOf(message);
  if (slice.loadBit() && plainAddress(internalAddress.load(slice)) !== receiver)
    throw new TvmError("tvm/input", `a message for ${receiver} on another account`);
}

export function runAcceptance(
  run: TransactionRun,
  host: RunHost,
  signal?: AbortSignal,
): Promise<AcceptedExternal | RefusedExternal> {
  return runPhases(run, "ordinary", run.message, (draft) => ({ kind: "accepted", ...ranOf(draft) }), host, signal);
}

/** What the code of a transaction did. */
export function ranOf({ compute }: Draft): Omit<AcceptedExternal, "kind"> {
  const result = compute?.kind === "vm" ? compute : undefined;
  return {
    actions: result?.committed?.c5,
    exitCode: result?.exitCode,
    gasUsed: BigInt(result?.gasUsed ?? 0),
  };
}

/** Does long work at the place of a transaction in the queue. */
export type InTurns = <T>(steps: Steps<T>) => Promise<T>;

const knownBlocks = new WeakMap<VmStackValue, StackValue>();

/** The previous blocks, which all transactions of a block share. */
function blocksOf(previousBlocks: VmStackValue | undefined): StackValue {
  if (previousBlocks === undefined) return null;
  const knownBlock = knownBlocks.get(previousBlocks) ?? fromVmValue(previousBlocks);
  knownBlocks.set(previousBlocks, knownBlock);
  return knownBlock;
}

/** Runs an account up to the end of its code; `end` gives the outcome. */
export function runPhases<T>(
  run: AccountRun,
  kind: Draft["kind"],
  message: Cell | undefined,
  end: (draft: Draft, log: string, inTurns: InTurns) => T | Promise<T>,
  host: RunHost,
  signal: AbortSignal | undefined,
): Promise<T | RefusedExternal> {
  addTransactionParts();
  const { randomSeed, previousBlocks, signatures = "check" } = run;
  const atPlace = async (ticket: QueueTicket): Promise<T | RefusedExternal> => {
    throwIfAborted(signal);
    const inTurns: InTurns = (steps) => runInTurns(steps, () => ticket.next());
    const draft = openDraft(kind, run, message && receiverOf(message));
    draft.isImpersonated = signatures === "impersonate";
    const log = new StepLog(run.log, run.onStep);
    const around = { randomSeed, previousBlocks: blocksOf(previousBlocks), signatures, onStep: log.listener };
    const input = await inTurns(prepare(draft, message, around));
    if (input === undefined) return findRefusal(draft, "") ?? end(draft, "", inTurns);
    const libraries = openLibraries((hash) => findOwnLibrary(draft, hash), run.findLibrary, signal);
    // Gas ends every transaction, and a block cannot leave one out because it takes long.
    const maxRunMs = run.turn === "first" ? Number.POSITIVE_INFINITY : host.maxRunMs;
    const ended = await runCode(input, libraries, { maxRunMs, compute: host.compute }, ticket, signal);
    finishCompute(draft, ended);
    const text = log.textWith(ended);
    return findRefusal(draft, text) ?? end(draft, text, inTurns);
  };
  return host.queue.run(run, atPlace, signal).catch(refuseAmount);
}

/** No block can hold a transaction with an amount that is larger than its field. */
function refuseAmount(cause: unknown): never {
  if (!isCoded(cause, "cell/range")) throw cause;
  throw new TvmError("tvm/undefined", `an amount of the transaction is out of range: ${cause.message}`, { cause });
}

/** The phases before the code runs; tick and tock have no message. */
function* prepare(draft: Draft, message: Cell | undefined, around: Surroundings): ReturnType<typeof prepareCompute> {
  if (message !== undefined) yield* receive(draft, message);
  if (draft.message?.bounce === true) {
    payStorage(draft);
    credit(draft);
  } else if (draft.message === undefined || draft.message.isExternal) {
    payStorage(draft);
  } else {
    credit(draft);
    payStorage(draft);
    limitMessageBalance(draft);
  }
  return yield* prepareCompute(draft, around);
}

function openDraft(
  kind: Draft["kind"],
  { config, account, now, lt }: AccountRun,
  receiver: Address | undefined,
): Draft {
  const rules = rulesOf(config);
  return new Draft({ kind, rules, account: loadAccountData(account, receiver, rules), now, lt });
}

function findRefusal({ compute, message }: Draft, log: string): RefusedExternal | undefined {
  const result = compute?.kind === "vm" ? compute : undefined;
  if (message?.isExternal !== true || result?.accepted === true) return undefined;
  const reason = result === undefined ? "no code runs" : `the code ends with ${result.exitCode} and does not accept`;
  // Who asks for an exit code wants 0 where no code ran.
  return { kind: "notAccepted", exitCode: result?.exitCode ?? 0, reason: `message not accepted: ${reason}`, log };
}
