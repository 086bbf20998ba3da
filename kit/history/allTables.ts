import { entityList } from "../../src/history/entities/indexedEntities.ts";
import * as poolTables from "../../src/history/store/schema/poolTables.ts";
import type { Columns, Table } from "../../src/history/store/schema/Table.ts";
import * as tables from "../../src/history/store/schema/tables.ts";
import { validatorTables } from "../../src/history/store/schema/validatorTables.ts";

export const allTables: readonly Table<Columns>[] = [
  ...Object.values(tables),
  ...Object.values(validatorTables),
  ...Object.values(poolTables),
  ...entityList.map(([, { table }]) => table),
];
