import type { Cell } from "../../cell/Cell.ts";
import { makeLinked } from "../../cell/linked.ts";
import { compareBytes } from "../../lib/bytes.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { zeroHash } from "../../model/Hash.ts";
import { type InCell, loadInCell, Message } from "../../model/Message.ts";
import type { Executor, RunEnvironment, TransactionOutcome } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import type { SignatureRule } from "../machine/MachineRun.ts";

/** Gives an account as it is before the trace; `undefined` for one that does not exist. Asked once for each account. */
export type LoadAccount = (address: Address, signal?: AbortSignal) => Promise<ShardAccount | undefined>;

export interface TraceLimits {
  /** Transactions on the longest way from the first one. */
  readonly maxDepth: number;
  readonly maxTransactions: number;
  /** Messages that all transactions together send; when there are as many, no further transaction is run. */
  readonly maxMessages?: number;
}

/** How a trace goes on in later blocks; without it, everything happens in one. */
export interface TraceSteps {
  /** Whether a message from one account to the other stays in one shard. */
  readonly staysInShard: (from: Address, to: Address) => boolean;
  /** By how much the block of a step is later than that of the step before. */
  readonly lt: bigint;
  readonly seconds: number;
}

export interface TraceRun extends RunEnvironment, TraceLimits {
  /** The message that starts it, from outside or from an account. */
  readonly message: Cell;
  readonly lt: bigint;
  readonly signatures?: SignatureRule;
  readonly steps?: TraceSteps | undefined;
}

export interface TraceModules {
  readonly executor: Pick<Executor, "runTransaction">;
  readonly loadAccount: LoadAccount;
}

export type DoneTransaction = Extract<TransactionOutcome, { readonly kind: "done" }>;

export interface EmulatedNode {
  readonly address: Address;
  readonly message: InCell<Message>;
  readonly outcome: DoneTransaction;
  /** Which of the later blocks it is in; zero for the first. */
  readonly step: number;
  /** In the order of the messages that caused them. */
  readonly children: readonly EmulatedNode[];
  /** Messages to accounts that were not run because of a limit. */
  readonly left: readonly InCell<Message>[];
}

export type TraceOutcome =
  | {
      readonly kind: "done";
      readonly root: EmulatedNode;
      readonly transactions: readonly EmulatedNode[];
      /** The accounts as they are afterwards. */
      readonly accounts: ReadonlyMap<Address, ShardAccount>;
      /** The limit that ended it early; messages not run are `left` on their transactions. */
      readonly stoppedBy: keyof TraceLimits | undefined;
    }
  | Extract<TransactionOutcome, { readonly kind: "notAccepted" }>;

interface OpenNode extends EmulatedNode {
  readonly children: OpenNode[];
  readonly left: InCell<Message>[];
}

interface Queued {
  readonly message: InCell<Message>;
  readonly cause: OpenNode | undefined;
  readonly depth: number;
  readonly step: number;
}

/**
 * Runs a message and everything it causes, as if it all happened in one block: one time, one start lt, messages in the
 * order in which a node takes new ones (by lt, then by hash). With steps, what leaves its shard is in a later block.
 * Accounts are asked for when a message to them is sent and then keep what transactions make of them.
 */
export async function runTrace(run: TraceRun, modules: TraceModules, signal?: AbortSignal): Promise<TraceOutcome> {
  const accounts = openAccounts(modules.loadAccount, signal);
  const transactions: OpenNode[] = [];
  const queue = new TraceQueue(run);
  queue.add({ message: loadInCell(Message, run.message), cause: undefined, depth: 1, step: 0 });
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    throwIfAborted(signal);
    const address = destinationOf(next.message);
    const input = { ...atStep(run, next.step), account: await accounts.get(address), message: next.message.cell };
    const outcome = await modules.executor.runTransaction(input, signal);
    if (outcome.kind === "notAccepted") return outcome;
    accounts.changed.set(address, outcome.account);
    const node: OpenNode = { address, message: next.message, outcome, step: next.step, children: [], left: [] };
    next.cause?.children.push(node);
    transactions.push(node);
    queue.countMessages(outcome.transaction.outCount);
    for (const message of sentToAccounts(outcome)) {
      const to = destinationOf(message);
      const step = run.steps?.staysInShard(address, to) === false ? next.step + 1 : next.step;
      const isQueued = queue.add({ message, cause: node, depth: next.depth + 1, step });
      if (isQueued) accounts.prefetch(to);
    }
  }
  const [root] = transactions;
  if (root === undefined) throw new TvmError("tvm/input", "the limits of the trace allow no transaction");
  return { kind: "done", root, transactions, accounts: accounts.changed, stoppedBy: queue.stoppedBy };
}

function atStep<R extends TraceRun>(run: R, step: number): R {
  if (run.steps === undefined || step === 0) return run;
  return { ...run, lt: run.lt + BigInt(step) * run.steps.lt, now: run.now + step * run.steps.seconds };
}

/**
 * Messages that wait, in the order in which a node takes them, and never more than may still be run: what a limit keeps
 * out is put on the transaction that sent it at once, so that a contract that sends without end costs no more than the
 * limit.
 */
class TraceQueue {
  stoppedBy: keyof TraceLimits | undefined;
  readonly #maxDepth: number;
  readonly #waiting: Queued[] = [];
  #allowed: number;
  #messages: number;

  constructor({ maxDepth, maxTransactions, maxMessages = Number.POSITIVE_INFINITY }: TraceLimits) {
    this.#maxDepth = maxDepth;
    this.#allowed = maxTransactions;
    this.#messages = maxMessages;
  }

  /** Counts what a transaction has sent. */
  countMessages(sent: number): void {
    this.#messages -= sent;
    if (this.#messages > 0) return;
    for (const each of this.#waiting.splice(0)) this.#leave(each, "maxMessages");
  }

  take(): Queued | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#allowed--;
    return next;
  }

  add(queued: Queued): boolean {
    if (queued.depth > this.#maxDepth) return this.#leave(queued, "maxDepth");
    if (this.#messages <= 0) return this.#leave(queued, "maxMessages");
    let at = this.#waiting.length;
    while (at > 0 && isBefore(queued, this.#waiting[at - 1])) at--;
    if (at >= this.#allowed) return this.#leave(queued, "maxTransactions");
    this.#waiting.splice(at, 0, queued);
    const last = this.#waiting.length > this.#allowed ? this.#waiting.pop() : undefined;
    if (last !== undefined) this.#leave(last, "maxTransactions");
    return true;
  }

  #leave({ cause, message }: Queued, limit: keyof TraceLimits): false {
    this.stoppedBy ??= limit;
    cause?.left.push(message);
    return false;
  }
}

function isBefore({ message: a, step }: Queued, other: Queued | undefined): boolean {
  if (other === undefined) return true;
  if (step !== other.step) return step < other.step;
  const b = other.message;
  const [ltA, ltB] = [createdLt(a), createdLt(b)];
  return ltA < ltB || (ltA === ltB && compareBytes(a.cell.hashBytes(), b.cell.hashBytes()) < 0);
}

function createdLt({ info }: Message): bigint {
  return info.kind === "externalIn" ? 0n : info.createdLt;
}

function sentToAccounts({ transaction }: DoneTransaction): InCell<Message>[] {
  return transaction.messages.out.values().filter(({ info }) => info.kind === "internal");
}

function destinationOf({ info }: Message): Address {
  if (info.kind === "externalOut") throw new TvmError("tvm/input", "an outbound external message starts no trace");
  return plainAddress(info.dest);
}

/** Accounts of one trace: loaded once, then as transactions change them. */
function openAccounts(loadAccount: LoadAccount, signal: AbortSignal | undefined) {
  const changed = new Map<Address, ShardAccount>();
  const loads = new Map<Address, Promise<ShardAccount>>();
  const load = (address: Address): Promise<ShardAccount> => {
    const loading = loads.get(address) ?? loadAccount(address, signal).then((account) => account ?? noAccount());
    loads.set(address, loading);
    return loading;
  };
  return {
    changed,
    get: async (address: Address) => changed.get(address) ?? load(address),
    /** Starts loading what will be needed; a failure is reported when it is needed. */
    prefetch(address: Address): void {
      if (!changed.has(address)) load(address).catch(() => {});
    },
  };
}

function noAccount(): ShardAccount {
  return { account: makeLinked(Account, { kind: "none" }), lastTransactionHash: zeroHash, lastTransactionLt: 0n };
}
