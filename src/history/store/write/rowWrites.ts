import { entityList } from "../../entities/indexedEntities.ts";
import {
  addMissing,
  type ConflictRule,
  insertOnce,
  keepExisting,
  keepNewest,
  mergeColumns,
  replaceExisting,
} from "../schema/conflictRule.ts";
import * as poolTables from "../schema/poolTables.ts";
import type { Columns, Row, Table } from "../schema/Table.ts";
import * as tables from "../schema/tables.ts";
import { validatorTables } from "../schema/validatorTables.ts";
import type { BatchRows } from "./BatchRows.ts";

/** How the rows of one table are written. */
export interface RowWrite {
  readonly table: Table<Columns>;
  /** The rows of one masterchain block. */
  readonly rowsOf: (batch: BatchRows) => readonly object[];
  readonly conflict: ConflictRule;
}

type RowsOf<T> = (batch: BatchRows) => readonly Row<T>[];

function write<C extends Columns>(
  table: Table<C>,
  rowsOf: RowsOf<Table<C>>,
  conflict: (table: Table<C>) => ConflictRule = () => insertOnce,
): RowWrite {
  return { table, rowsOf, conflict: conflict(table) };
}

type WalletChange = Row<typeof tables.jettonWalletChanges>;

function pickWallet(wallet: Omit<WalletChange, "mcSeqno">): Omit<WalletChange, "mcSeqno"> {
  const { address, balance, owner, jetton, codeHash, dataHash, lastTransactionLt } = wallet;
  return { address, balance, owner, jetton, codeHash, dataHash, lastTransactionLt };
}

/** All tables that blocks fill, in the order of writing; `commit` writes open edges, which it also deletes. */
export const rowWrites: readonly RowWrite[] = [
  write(tables.blocks, ({ blocks }) => blocks),
  write(tables.shardState, ({ shardState }) => shardState),
  write(tables.transactions, ({ transactions }) => transactions),
  // The sender of a message may be committed after its receiver.
  write(tables.messages, ({ messages }) => messages, addMissing(["lt", "hash"], ["outTxHash", "outIndex"])),
  write(tables.accountStates, ({ accountStates }) => accountStates, keepExisting(["account", "hash", "lt"])),
  write(
    tables.latestAccountStates,
    ({ latestAccountStates }) => latestAccountStates,
    keepNewest(["account"], "lastTransLt"),
  ),
  // The library that a code refers to may be published after the code.
  write(tables.codes, ({ codes }) => codes, addMissing(["hash"], ["methods"])),
  write(tables.traces, ({ traces }) => traces, replaceExisting(["traceId", "startLt"])),
  write(tables.traceAccounts, ({ traceAccounts }) => traceAccounts),
  write(tables.actions, ({ actions }) => actions),
  write(tables.actionAccounts, ({ actionAccounts }) => actionAccounts),
  write(tables.jettonTransfers, ({ jettonTransfers }) => jettonTransfers),
  write(tables.jettonBurns, ({ jettonBurns }) => jettonBurns),
  write(tables.nftTransfers, ({ nftTransfers }) => nftTransfers),
  write(validatorTables.events, ({ validatorEvents }) => validatorEvents),
  write(validatorTables.elections, ({ elections }) => elections.elections, keepNewest(["electionId"], "mcSeqno")),
  write(
    validatorTables.participants,
    ({ elections }) => elections.participants,
    keepNewest(["electionId", "validatorKey", "stakeHolder"], "mcSeqno"),
  ),
  // A cycle is seen at every key block of its life, at last without its election.
  write(
    validatorTables.cycles,
    ({ elections }) => elections.cycles,
    mergeColumns(["cycleStart"], {
      newest: "mcSeqno",
      largest: ["totalStake"],
      first: ["electionSeqno", "electionId"],
    }),
  ),
  write(
    validatorTables.members,
    ({ elections }) => elections.members,
    mergeColumns(["setHash", "validatorIndex"], { largest: ["stake", "stakeHolder"] }),
  ),
  write(
    validatorTables.complaints,
    ({ elections }) => elections.complaints,
    keepNewest(["electionId", "complaintHash"], "mcSeqno"),
  ),
  write(validatorTables.suspended, ({ elections }) => elections.suspended, keepExisting(["keySeqno"])),
  write(poolTables.nominatorPoolEvents, ({ nominatorPoolEvents }) => nominatorPoolEvents),
  write(poolTables.poolValidatorEvents, ({ poolValidatorEvents }) => poolValidatorEvents),
  // A wallet may be read several times for one block; the last state counts, as for the wallet itself.
  write(
    tables.jettonWalletChanges,
    ({ mcSeqno, entities }) => entities.jettonWallets.map((wallet) => ({ mcSeqno, ...pickWallet(wallet) })),
    keepNewest(["mcSeqno", "address"], "lastTransactionLt"),
  ),
  ...entityList.map(
    ([name, { table, conflict }]): RowWrite => ({ table, conflict, rowsOf: ({ entities }) => entities[name] }),
  ),
];
