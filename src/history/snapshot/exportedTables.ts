import { allTables } from "../store/migrate/allTables.ts";
import type { Table } from "../store/schema/Table.ts";

/**
 * The tables of an export by name: everything that follows from the chain. Documents about tokens, messages between
 * processes and facts about this database stay where they are.
 */
export const exportedTables: ReadonlyMap<string, Table> = new Map(
  allTables.filter(({ source }) => source.kind !== "service").map((table) => [table.name, table]),
);
