import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { hash, hashes } from "../store/columns.ts";
import { type Row, selectList } from "../store/Table.ts";
import { actions, jettonBurns, jettonTransfers } from "../store/tables.ts";
import { readTransactions } from "./actions.ts";
import type { FullTransaction } from "./FullTransaction.ts";
import type { Reading } from "./History.ts";
import { Params, type Statement } from "./Statement.ts";
import { listTransactionsOf } from "./traces.ts";

/** What accounts won and lost by some transactions. */
export interface BalanceChanges {
  /** Coins, fees included. */
  readonly coins: ReadonlyMap<Address, bigint>;
  readonly fees: ReadonlyMap<Address, bigint>;
  /** By owner, then by jetton. */
  readonly jettons: ReadonlyMap<Address, ReadonlyMap<Address, bigint>>;
}

export function actionByIdSql(id: Hash): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(actions, "a")} from actions a where a.action_id = ${params.of(hash, id)}
    order by a.trace_end_lt desc limit 1`);
}

export function jettonTransfersOfTraceSql(traceId: Hash): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(jettonTransfers, "j")} from jetton_transfers j
    where j.trace_id = any(${params.of(hashes, [traceId])}) and not j.tx_aborted`);
}

export function jettonBurnsOfTraceSql(traceId: Hash): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(jettonBurns, "j")} from jetton_burns j
    where j.trace_id = any(${params.of(hashes, [traceId])}) and not j.tx_aborted`);
}

/** The changes by all transactions of a trace; a trace that is not known changed nothing. */
export async function balanceChangesOfTrace(reading: Reading, traceId: Hash): Promise<BalanceChanges> {
  const found = (await listTransactionsOf(reading, [traceId])).get(traceId) ?? [];
  return changesOf(reading, traceId, found);
}

/** The changes by the transactions that an action covers; `undefined` when there is no such action. */
export async function findBalanceChangesOfAction(reading: Reading, id: Hash): Promise<BalanceChanges | undefined> {
  const [action] = await reading.rows(actions, actionByIdSql(id));
  if (action === undefined) return undefined;
  const found = await readTransactions(reading, action.transactions);
  return changesOf(reading, action.traceId, [...found.values()]);
}

async function changesOf(
  reading: Reading,
  traceId: Hash,
  transactions: readonly FullTransaction[],
): Promise<BalanceChanges> {
  const covered = new Set(transactions.map(({ row }) => row.hash));
  const isCovered = ({ txHash }: { readonly txHash: Hash }) => covered.has(txHash);
  const transfers = await reading.rows(jettonTransfers, jettonTransfersOfTraceSql(traceId));
  const burns = await reading.rows(jettonBurns, jettonBurnsOfTraceSql(traceId));
  return {
    coins: sumOf(transactions, (transaction) => received(transaction) - sent(transaction) - feesOf(transaction)),
    fees: sumOf(transactions, feesOf),
    jettons: jettonChanges(transfers.filter(isCovered), burns.filter(isCovered)),
  };
}

const received = ({ inMessage }: FullTransaction): bigint => inMessage?.row.value ?? 0n;

const sent = ({ outMessages }: FullTransaction): bigint =>
  outMessages.reduce((sum, { row }) => sum + (row.value ?? 0n), 0n);

/** What forwarding takes beyond the part that the transaction itself collects stands on the messages. */
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

function jettonChanges(
  transfers: readonly Row<typeof jettonTransfers>[],
  burns: readonly Row<typeof jettonBurns>[],
): BalanceChanges["jettons"] {
  const changes = new Map<Address, Map<Address, bigint>>();
  const add = (owner: Address | undefined, jetton: Address, amount: bigint): void => {
    if (owner === undefined) return;
    const own = changes.get(owner) ?? new Map<Address, bigint>();
    changes.set(owner, own.set(jetton, (own.get(jetton) ?? 0n) + amount));
  };
  for (const { source, destination, jettonMaster, amount } of transfers) {
    add(source, jettonMaster, -amount);
    add(destination, jettonMaster, amount);
  }
  for (const { owner, jettonMaster, amount } of burns) add(owner, jettonMaster, -amount);
  return changes;
}
