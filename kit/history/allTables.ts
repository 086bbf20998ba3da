import { entityList } from "../../src/history/entities/indexedEntities.ts";
import type { Columns, Table } from "../../src/history/store/schema/Table.ts";
import * as tables from "../../src/history/store/schema/tables.ts";

export const allTables: readonly Table<Columns>[] = [
  ...Object.values(tables),
  ...entityList.map(([, { table }]) => table),
];
