import { noEntities } from "../../entities/entityRows.ts";
import { type BlockRows, blockTables } from "../schema/blockTables.ts";
import { noElections } from "../schema/validatorTables.ts";
import type { BatchRows } from "./BatchRows.ts";

/** Rows while they are collected. */
export type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** A block that changes nothing, to be filled. */
export function noRows(mcSeqno: number): Writable<BatchRows> {
  const none = Object.fromEntries(blockTables.map(([name]) => [name, []])) as unknown as Writable<BlockRows>;
  return { ...none, mcSeqno, closedEdges: [], entities: noEntities(), elections: noElections };
}
