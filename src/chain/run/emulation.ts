import type { Cell } from "../../cell/Cell.ts";
import { Linked, makeLinked } from "../../cell/linked.ts";
import { isCoded } from "../../lib/errors.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import { type Address, workchainOf } from "../../model/Address.ts";
import { type CurrencyCollection, noCurrency } from "../../model/Currency.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { InCell } from "../../model/Message.ts";
import { type Trace, type TraceTransaction, traceTransaction } from "../../model/Trace.ts";
import type { AccountStatus, Transaction } from "../../model/Transaction.ts";
import { type EmulatedNode, runTrace, type TraceLimits, type TraceOutcome } from "../../tvm/run/trace.ts";
import { type AccountNow, getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { detectNew, type NewContracts } from "../pending/newContracts.ts";
import type { SentMessage } from "../SentMessage.ts";
import { libraryFinder } from "./libraries.ts";
import { getRunSettings } from "./runSettings.ts";

/** An account before or after a transaction, without what it holds. */
export interface EmulatedState {
  readonly hash: Hash;
  readonly balance: CurrencyCollection;
  readonly status: AccountStatus;
  readonly frozenHash: Hash | undefined;
  readonly dataHash: Hash | undefined;
  readonly codeHash: Hash | undefined;
}

/** A transaction that will probably be. */
export interface EmulatedTransaction {
  readonly seen: TraceTransaction;
  readonly transaction: InCell<Transaction>;
  readonly before: EmulatedState;
  readonly after: EmulatedState;
}

/** What a message will probably cause. */
export interface Emulation {
  readonly trace: Trace;
  /** By lt, then by account. */
  readonly transactions: readonly EmulatedTransaction[];
  /** Messages that were not run because of a limit. */
  readonly left: number;
  /** The network's version, by which messages are read. */
  readonly globalVersion: number;
  /** Contracts that it would deploy. */
  readonly contracts: NewContracts;
  /** The accounts that it changes, as it leaves them. */
  readonly accounts: ReadonlyMap<Address, ShardAccount>;
}

export interface EmulationOptions extends TraceLimits {
  /** Gives an account that is to be taken otherwise than it is on the chain, where its last transaction is this one. */
  readonly findState?: ((address: Address, last: TransactionPoint) => ShardAccount | undefined) | undefined;
}

/** The next block begins far beyond what was left by the account's last transaction. */
const ltAhead = 1_000_000n;

/**
 * Runs a message from outside, and all it causes, on the accounts as they are now, or as they are said to be; `undefined`
 * when its account does not take it. The trace goes by the normal form of the message, as traces do that are not on the chain yet.
 */
export async function emulateMessage(
  chain: Chain,
  message: Cell,
  { normalizedHash }: SentMessage,
  destination: Address,
  { findState = () => undefined, ...limits }: EmulationOptions,
): Promise<Emulation | undefined> {
  const { signal } = chain.asking;
  const { config, previousBlocks } = await getRunSettings(chain);
  const receiver = await getAccount(chain, destination);
  const beginning = (account: AccountNow): ShardAccount =>
    findState(account.address, account.lastTransaction) ?? startOf(account);
  const first = beginning(receiver);
  const loaded = new Map<Address, ShardAccount>();
  const outcome = await runTrace(
    {
      ...limits,
      config,
      previousBlocks,
      now: Math.max(receiver.syncAt, chain.nowAt()),
      randomSeed: zeroHash,
      findLibrary: libraryFinder(chain),
      message,
      lt: first.lastTransactionLt + ltAhead,
    },
    {
      executor: chain.executor,
      loadAccount: async (address) => {
        const account = address === destination ? first : beginning(await getAccount(chain, address));
        loaded.set(address, account);
        return account;
      },
    },
    signal,
  );
  if (outcome.kind === "notAccepted") return undefined;
  const transactions = listTransactions(outcome, loaded);
  return {
    trace: makeTrace(outcome.root, transactions, normalizedHash),
    transactions,
    left: outcome.transactions.reduce((count, node) => count + node.left.length, 0),
    globalVersion: findConfigParam(config, 8)?.version ?? 0,
    contracts: await detectDeployed(chain, new Map([...loaded, ...outcome.accounts]), transactions),
    accounts: outcome.accounts,
  };
}

function startOf({ entry, lastTransaction: { hash, lt } }: AccountNow): ShardAccount {
  const account = entry === undefined ? makeLinked(Account, { kind: "none" }) : new Linked(entry.cell, Account);
  return { account, lastTransactionHash: hash, lastTransactionLt: lt };
}

function listTransactions(
  { transactions }: Extract<TraceOutcome, { readonly kind: "done" }>,
  loaded: ReadonlyMap<Address, ShardAccount>,
): readonly EmulatedTransaction[] {
  const states = new Map(loaded);
  return transactions
    .map(({ address, outcome: { transaction, account } }): EmulatedTransaction => {
      const { oldHash, newHash } = transaction.stateUpdate;
      const before = states.get(address);
      states.set(address, account);
      return {
        seen: traceTransaction(transaction, { workchain: workchainOf(address), mcSeqno: 0, emulated: true }),
        transaction,
        before: stateOf(before, oldHash),
        after: stateOf(account, newHash),
      };
    })
    .sort(byLt);
}

/** A trace whose new contracts could not be looked at is still told, if with less meaning. */
async function detectDeployed(
  chain: Chain,
  accounts: ReadonlyMap<Address, ShardAccount>,
  transactions: readonly EmulatedTransaction[],
): Promise<NewContracts> {
  const isDeploying = ({ before, after }: EmulatedTransaction) =>
    before.status !== "active" && after.status === "active";
  const deployed = new Set(transactions.filter(isDeploying).map(({ seen }) => seen.account));
  try {
    return await detectNew(chain, accounts, deployed);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return new Map();
  }
}

function byLt({ seen: a }: EmulatedTransaction, { seen: b }: EmulatedTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account < b.account ? -1 : a.account > b.account ? 1 : 0;
}

const nobody = {
  balance: noCurrency,
  status: "nonexist",
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
} as const;

function stateOf(shardAccount: ShardAccount | undefined, hash: Hash): EmulatedState {
  const account = shardAccount?.account.load();
  if (account === undefined || account.kind === "none") return { hash, ...nobody };
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

function makeTrace(root: EmulatedNode, transactions: readonly EmulatedTransaction[], external: Hash): Trace {
  const seen = transactions.map((each) => each.seen);
  return {
    id: root.outcome.transaction.cell.hash(),
    externalHash: external,
    externalHashNormalized: external,
    endLt: seen.reduce((last, { lt }) => (lt > last ? lt : last), 0n),
    endAt: seen.reduce((last, { now }) => Math.max(last, now), 0),
    mcSeqnoEnd: 0,
    transactions: seen,
  };
}
