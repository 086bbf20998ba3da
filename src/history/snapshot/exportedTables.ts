import { entityList } from "../entities/indexedEntities.ts";
import * as poolTables from "../store/schema/poolTables.ts";
import type { Table } from "../store/schema/Table.ts";
import * as tables from "../store/schema/tables.ts";
import { validatorTables } from "../store/schema/validatorTables.ts";

/**
 * The tables of an export by name: everything that follows from the chain. Documents about tokens, messages between
 * processes and facts about this database stay where they are.
 */
export const exportedTables: ReadonlyMap<string, Table> = new Map(
  [
    tables.blocks,
    tables.shardState,
    tables.transactions,
    tables.messages,
    tables.accountStates,
    tables.latestAccountStates,
    tables.richAccounts,
    tables.codes,
    tables.traces,
    tables.openEdges,
    tables.undecidedTraces,
    tables.undecidedRows,
    tables.traceAccounts,
    tables.actions,
    tables.actionAccounts,
    tables.jettonTransfers,
    tables.jettonBurns,
    tables.nftTransfers,
    tables.jettonWalletChanges,
    ...Object.values(validatorTables),
    ...Object.values(poolTables),
    ...entityList.map(([, { table }]) => table),
  ].map((table: Table) => [table.name, table]),
);
