import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { jettonWallets } from "../entities/jettonWallets.ts";
import { addresses, hash } from "../store/schema/columns.ts";
import { selectList } from "../store/schema/Table.ts";
import { actions } from "../store/schema/tables.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { type HeldJetton, type JettonChanges, mayChangeWallet, sumJettonChanges } from "./jettonChanges.ts";
import type { History, HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";
import { listTransactionsOfTrace } from "./traces.ts";
import { readTransactions } from "./transactionsByHash.ts";

/** Balance changes of accounts by some transactions. */
export interface BalanceChanges {
  /** Coins, fees included. */
  readonly coins: ReadonlyMap<Address, bigint>;
  readonly fees: ReadonlyMap<Address, bigint>;
  readonly jettons: JettonChanges;
}

export function actionByIdSql(id: Hash): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(actions, "a")} from actions a where a.action_id = ${params.of(hash, id)}
    order by a.trace_end_lt desc limit 1`);
}

export function walletsAtSql(accounts: readonly Address[]): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(jettonWallets, "w")} from jetton_wallets w
    where w.address = any(${params.of(addresses, accounts)})`);
}

/** The changes by all transactions of a trace; none for an unknown trace. */
export async function balanceChangesOfTrace(reading: HistorySnapshot, traceId: Hash): Promise<BalanceChanges> {
  const transactions = (await listTransactionsOfTrace(reading, traceId)) ?? [];
  return changesOf(reading, transactions);
}

/** The changes by the transactions of an action; `undefined` when there is no such action. */
export async function findBalanceChangesOfAction(
  reading: HistorySnapshot,
  id: Hash,
): Promise<BalanceChanges | undefined> {
  const [action] = await reading.rows(actions, actionByIdSql(id));
  if (action === undefined) return undefined;
  const transactions = await readTransactions(reading, [action]);
  return changesOf(reading, [...transactions.values()]);
}

async function changesOf(reading: HistorySnapshot, transactions: readonly FullTransaction[]): Promise<BalanceChanges> {
  return sumChanges(transactions, await readWallets(reading, transactions));
}

function sumChanges(
  transactions: readonly FullTransaction[],
  wallets: ReadonlyMap<Address, HeldJetton>,
): BalanceChanges {
  return {
    coins: sumOf(transactions, (transaction) => received(transaction) - sent(transaction) - feesOf(transaction)),
    fees: sumOf(transactions, feesOf),
    jettons: sumJettonChanges(transactions, wallets),
  };
}

/** The changes by transactions that no index has; `known` are wallets that it cannot know either. */
export async function predictBalanceChanges(
  index: { readonly history: History; readonly signal: AbortSignal } | undefined,
  transactions: readonly FullTransaction[],
  known: ReadonlyMap<Address, HeldJetton>,
): Promise<BalanceChanges> {
  const found = await index?.history.read({ signal: index.signal }, (reading) => readWallets(reading, transactions));
  return sumChanges(transactions, new Map([...(found ?? []), ...known]));
}

/** The jetton wallets among the accounts that received a message for jetton wallets. */
async function readWallets(
  reading: HistorySnapshot,
  transactions: readonly FullTransaction[],
): Promise<ReadonlyMap<Address, HeldJetton>> {
  const accounts = [...new Set(transactions.filter(mayChangeWallet).map(({ row }) => row.account))];
  if (accounts.length === 0) return new Map();
  const found = await reading.rows(jettonWallets, walletsAtSql(accounts));
  return new Map(found.map(({ address, owner, jetton }) => [address, { owner, jetton }]));
}

const received = ({ inMessage }: FullTransaction): bigint => inMessage?.row.value ?? 0n;

const sent = ({ outMessages }: FullTransaction): bigint =>
  outMessages.reduce((sum, { row }) => sum + (row.value ?? 0n), 0n);

/** The part of forward fees that the transaction itself does not collect is on the messages. */
function feesOf({ row, outMessages }: FullTransaction): bigint {
  return outMessages.reduce((sum, { row: own }) => sum + (own.fwdFee ?? 0n) + (own.ihrFee ?? 0n), row.totalFees);
}

function sumOf(
  transactions: readonly FullTransaction[],
  amountOf: (transaction: FullTransaction) => bigint,
): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const transaction of transactions) {
    const { account } = transaction.row;
    sums.set(account, (sums.get(account) ?? 0n) + amountOf(transaction));
  }
  return sums;
}
