import type { Cell } from "../../cell/Cell.ts";
import { systemClock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, workchainOf } from "../../model/Address.ts";
import { type CurrencyCollection, noCurrency } from "../../model/Currency.ts";
import type { Hash } from "../../model/Hash.ts";
import type { InCell } from "../../model/Message.ts";
import { type Trace, type TraceTransaction, traceTransaction } from "../../model/Trace.ts";
import type { AccountStatus, Transaction } from "../../model/Transaction.ts";
import type { Executor } from "../../tvm/Executor.ts";
import {
  type EmulatedNode,
  type LoadAccount,
  runTrace,
  type TraceOutcome,
  type TraceRun,
} from "../../tvm/run/trace.ts";

/** An account before or after a transaction, without code and data. */
export interface EmulatedState {
  readonly hash: Hash;
  readonly balance: CurrencyCollection;
  readonly status: AccountStatus;
  readonly frozenHash: Hash | undefined;
  readonly dataHash: Hash | undefined;
  readonly codeHash: Hash | undefined;
}

/** A predicted transaction. */
export interface EmulatedTransaction {
  readonly seen: TraceTransaction;
  readonly transaction: InCell<Transaction>;
  readonly before: EmulatedState;
  readonly after: EmulatedState;
}

/** The message to run, and the hashes that identify its trace. */
export interface EmulationInput extends TraceRun {
  readonly message: Cell;
  readonly externalHash: Hash;
  readonly normalizedHash: Hash;
  /** The masterchain block that would contain the first transaction; zero if unknown. */
  readonly mcSeqno: number;
  /** How many masterchain blocks lie between two steps. */
  readonly stepBlocks?: number | undefined;
}

/** The result of a run. */
export interface EmulatedRun {
  readonly kind: "done";
  readonly trace: Trace;
  /** By lt, then by account. */
  readonly transactions: readonly EmulatedTransaction[];
  /** Messages that were not run because of a limit. */
  readonly left: number;
  /** The accounts that were used, before the run. */
  readonly before: ReadonlyMap<Address, ShardAccount>;
  /** The changed accounts, after the run. */
  readonly accounts: ReadonlyMap<Address, ShardAccount>;
  /** The accounts after each transaction, in the order of the run. */
  readonly states: readonly ShardAccount[];
  /** The log of the machine, by the hash of the transaction; only on request. */
  readonly logs: ReadonlyMap<Hash, string>;
}

export interface EmulationModules {
  readonly executor: Pick<Executor, "runTransaction">;
  readonly loadAccount: LoadAccount;
}

/** Runs a message and everything it causes on given accounts. */
export async function runEmulation(
  input: EmulationInput,
  { executor, loadAccount }: EmulationModules,
  signal: AbortSignal,
): Promise<EmulatedRun | Extract<TraceOutcome, { readonly kind: "notAccepted" }>> {
  const before = new Map<Address, ShardAccount>();
  const load: LoadAccount = async (address, stop) => {
    const account = await loadAccount(address, stop);
    if (account !== undefined) before.set(address, account);
    return account;
  };
  const outcome = await runTrace(input, { executor, loadAccount: load }, signal);
  if (outcome.kind === "notAccepted") return outcome;
  const turns = new TurnBudget(systemClock);
  const transactions = await runInTurns(listTransactions(outcome, before, input), () => {
    throwIfAborted(signal);
    return turns.yieldIfDue();
  });
  return {
    kind: "done",
    trace: makeTrace(outcome.root, transactions, input),
    transactions,
    left: outcome.transactions.reduce((count, node) => count + node.left.length, 0),
    before,
    accounts: outcome.accounts,
    states: outcome.transactions.map((node) => node.outcome.account),
    logs: new Map(
      outcome.transactions.map((node) => [node.outcome.transaction.cell.hash(), node.outcome.log] as const),
    ),
  };
}

/** A step for each transaction, which may have hundreds of messages. */
function* listTransactions(
  { transactions }: Extract<TraceOutcome, { readonly kind: "done" }>,
  loaded: ReadonlyMap<Address, ShardAccount>,
  { mcSeqno: first, stepBlocks = 0 }: EmulationInput,
): Steps<readonly EmulatedTransaction[]> {
  const states = new Map(loaded);
  const listed: EmulatedTransaction[] = [];
  for (const { address, step, outcome } of transactions) {
    const { transaction, account } = outcome;
    const mcSeqno = first + step * stepBlocks;
    const { oldHash, newHash } = transaction.stateUpdate;
    const before = states.get(address);
    states.set(address, account);
    listed.push({
      seen: traceTransaction(transaction, { workchain: workchainOf(address), mcSeqno, emulated: true }),
      transaction,
      before: stateOf(before, oldHash),
      after: stateOf(account, newHash),
    });
    yield;
  }
  return listed.sort(byLt);
}

function byLt({ seen: a }: EmulatedTransaction, { seen: b }: EmulatedTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account < b.account ? -1 : a.account > b.account ? 1 : 0;
}

const noAccount = {
  balance: noCurrency,
  status: "nonexist",
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
} as const;

function stateOf(shardAccount: ShardAccount | undefined, hash: Hash): EmulatedState {
  const account = shardAccount?.account.load();
  if (account === undefined || account.kind === "none") return { hash, ...noAccount };
  const { balance, state } = account.storage;
  const init = state.kind === "active" ? state.init : undefined;
  return {
    hash,
    balance,
    status: state.kind,
    frozenHash: state.kind === "frozen" ? state.stateHash : undefined,
    dataHash: init?.data?.hash(),
    codeHash: init?.code?.hash(),
  };
}

function makeTrace(root: EmulatedNode, transactions: readonly EmulatedTransaction[], input: EmulationInput): Trace {
  const traceTransactions = transactions.map((each) => each.seen);
  return {
    id: root.outcome.transaction.cell.hash(),
    externalHash: input.externalHash,
    externalHashNormalized: input.normalizedHash,
    endLt: traceTransactions.reduce((last, { lt }) => (lt > last ? lt : last), 0n),
    endAt: traceTransactions.reduce((last, { now }) => Math.max(last, now), 0),
    mcSeqnoEnd: traceTransactions.reduce((last, { mcSeqno }) => Math.max(last, mcSeqno), input.mcSeqno),
    transactions: traceTransactions,
  };
}
