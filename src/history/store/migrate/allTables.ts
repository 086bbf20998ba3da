import { entityList } from "../../entities/indexedEntities.ts";
import { chainTables } from "../schema/blockTables.ts";
import type { IndexTable } from "../schema/indexTable.ts";
import * as serviceTables from "../schema/serviceTables.ts";
import { electionTables } from "../schema/validatorTables.ts";

/** All tables of an index. */
export const allTables: readonly IndexTable[] = [
  ...Object.values(chainTables),
  ...Object.values(electionTables),
  ...Object.values(serviceTables),
  ...entityList.map(([, { table }]) => table),
].toSorted((a, b) => (a.name < b.name ? -1 : 1));
