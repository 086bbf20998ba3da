import { entityList } from "../../entities/indexedEntities.ts";
import { blockTables, electionTableList } from "../schema/blockTables.ts";
import type { IndexTable } from "../schema/indexTable.ts";
import type { Row } from "../schema/Table.ts";
import { openEdges } from "../schema/tables.ts";
import { jettonWalletChanges } from "../schema/tokenTables.ts";
import type { BatchRows } from "./BatchRows.ts";

/** How the rows of one table are written. */
export interface RowWrite {
  readonly table: IndexTable;
  /** The rows of one masterchain block. */
  readonly rowsOf: (batch: BatchRows) => readonly object[];
}

type WalletChange = Row<typeof jettonWalletChanges>;

function pickWallet(wallet: Omit<WalletChange, "mcSeqno">): Omit<WalletChange, "mcSeqno"> {
  const { address, balance, owner, jetton, codeHash, dataHash, lastTransactionLt } = wallet;
  return { address, balance, owner, jetton, codeHash, dataHash, lastTransactionLt };
}

/**
 * All tables that blocks fill, in the order of their names, in which every writer locks their rows; `commit` writes
 * open edges, which it also deletes.
 */
export const rowWrites: readonly RowWrite[] = listWrites().toSorted((a, b) => (a.table.name < b.table.name ? -1 : 1));

function listWrites(): readonly RowWrite[] {
  return [
    ...blockTables
      .filter(([, { name }]) => name !== openEdges.name)
      .map(([name, table]): RowWrite => ({ table, rowsOf: (batch) => batch[name] })),
    ...electionTableList.map(([name, table]): RowWrite => ({ table, rowsOf: ({ elections }) => elections[name] })),
    ...entityList.map(([name, { table }]): RowWrite => ({ table, rowsOf: ({ entities }) => entities[name] })),
    {
      table: jettonWalletChanges,
      rowsOf: ({ mcSeqno, entities }) => entities.jettonWallets.map((wallet) => ({ mcSeqno, ...pickWallet(wallet) })),
    },
  ];
}
