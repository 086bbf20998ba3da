import type { IndexTable, RowSource } from "./indexTable.ts";
import * as poolTables from "./poolTables.ts";
import type { Row } from "./Table.ts";
import * as tables from "./tables.ts";
import * as tokenTables from "./tokenTables.ts";
import { electionTables, validatorEvents } from "./validatorTables.ts";

/** Tables of the chain by the names of their declarations, under which rows of blocks have them. */
export const chainTables = { ...tables, ...tokenTables, ...poolTables, validatorEvents };

type ChainTables = typeof chainTables;

/** The names of tables whose rows come in one of these ways. */
type NamesBy<Kind extends RowSource["kind"]> = {
  [Name in keyof ChainTables]: ChainTables[Name] extends { readonly source: { readonly kind: Kind } } ? Name : never;
}[keyof ChainTables];

/** The tables that blocks fill, besides those of elections and entities. */
export type BlockTableName = NamesBy<"block" | "trace" | "part">;
export type TraceTableName = NamesBy<"trace">;
export type PartTableName = NamesBy<"part">;

/** The rows of a block, by the names of their tables. */
export type BlockRows = { readonly [Name in BlockTableName]: readonly Row<ChainTables[Name]>[] };

function listBy<Name extends BlockTableName>(kinds: readonly RowSource["kind"][]) {
  // The kinds are those of the names.
  const all = Object.entries(chainTables) as unknown as readonly (readonly [Name, IndexTable])[];
  return all.filter(([, { source }]) => kinds.includes(source.kind));
}

export const blockTables = listBy<BlockTableName>(["block", "trace", "part"]);
export const traceTables = listBy<TraceTableName>(["trace"]);
export const partTables = listBy<PartTableName>(["part"]);
export const electionTableList = Object.entries(electionTables) as unknown as readonly (readonly [
  keyof typeof electionTables,
  IndexTable,
])[];
