import { type Row, type RowDraft, table } from "../schema/Table.ts";
import * as tables from "../schema/tables.ts";
import type { BatchRows } from "./BatchRows.ts";

/*
 * The state after an account's last transaction in a block stands in the row of that transaction, without what the row
 * has anyway. The others stay apart: states of zero states have no transaction, the next transaction after a deleted
 * account does not name an earlier one, and an index with a scope may leave out the transaction.
 */

type StateRow = Row<typeof tables.accountStates>;
type TransactionRow = Row<typeof tables.transactions>;

const { columns } = tables.transactions;

/** What the row of a transaction has of the state after it. */
export const statesAfter = table("transactions", {
  account: columns.account,
  lt: columns.lt,
  stateHashAfter: columns.stateHashAfter,
  endStatus: columns.endStatus,
  afterBalance: columns.afterBalance,
  afterBalanceExtra: columns.afterBalanceExtra,
  afterFrozenHash: columns.afterFrozenHash,
  afterDataHash: columns.afterDataHash,
  afterCodeHash: columns.afterCodeHash,
});

/** Row fields of a transaction after which the state is not known. */
export const noStateAfter = {
  afterBalance: undefined,
  afterBalanceExtra: undefined,
  afterFrozenHash: undefined,
  afterDataHash: undefined,
  afterCodeHash: undefined,
} as const satisfies Partial<TransactionRow>;

/** The state after a transaction, if it is known. */
export function findStateAfter(row: Row<typeof statesAfter>): StateRow | undefined {
  if (row.afterBalance === undefined) return undefined;
  return {
    account: row.account,
    hash: row.stateHashAfter,
    lt: row.lt,
    balance: row.afterBalance,
    balanceExtra: row.afterBalanceExtra,
    status: row.endStatus,
    frozenHash: row.afterFrozenHash,
    dataHash: row.afterDataHash,
    codeHash: row.afterCodeHash,
  };
}

/** Puts states into the rows of their transactions and leaves the others apart. */
export function absorbStates(batch: BatchRows): BatchRows {
  const byPlace = new Map(batch.accountStates.map((state) => [placeOf(state), state]));
  const transactions = batch.transactions.map((row) => {
    const place = placeOf(row);
    const state = byPlace.get(place);
    if (state === undefined || !belongs(row, state)) return row;
    byPlace.delete(place);
    return withState(row, state);
  });
  const absorbed: RowDraft<BatchRows> = { ...batch };
  absorbed.transactions = transactions;
  absorbed.accountStates = [...byPlace.values()];
  return absorbed;
}

function placeOf({ account, lt }: Pick<StateRow, "account" | "lt">): string {
  return `${account} ${lt}`;
}

function belongs(row: TransactionRow, { hash, status }: StateRow): boolean {
  return hash === row.stateHashAfter && status === row.endStatus && status !== "nonexist";
}

function withState(row: TransactionRow, state: StateRow): TransactionRow {
  const copy: RowDraft<TransactionRow> = { ...row };
  copy.afterBalance = state.balance;
  copy.afterBalanceExtra = state.balanceExtra;
  copy.afterFrozenHash = state.frozenHash;
  copy.afterDataHash = state.dataHash;
  copy.afterCodeHash = state.codeHash;
  return copy;
}
