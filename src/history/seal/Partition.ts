import type { SqlSession } from "../store/Database.ts";

/** Logical times from `from` on, below `to`. */
export interface LtRange {
  readonly from: bigint;
  readonly to: bigint;
}

interface TablePart extends LtRange {
  readonly parent: string;
  readonly place: number;
  /** The column by which the table is partitioned. */
  readonly column: string;
}

/** A partition of a table. */
export interface StoredPartition extends TablePart {
  readonly isSealed: boolean;
}

/** A partition that is to be sealed. */
export interface Partition extends TablePart {
  /** The places of the partitions that it is made of: its own, or those that are merged. */
  readonly sources: readonly number[];
}

/** The places from here on name aligned ranges, those before them partitions of a fixed width; see `partition_from`. */
const firstByWeight = 2 ** 32;
/** No partition is narrower than 2^24 logical times. */
const grain = 24n;

export const isByWeight = ({ place }: Pick<TablePart, "place">): boolean => place >= firstByWeight;

/** The place of an aligned range of 2^bits logical times. */
export function placeOf(from: bigint, bits: number): number {
  return firstByWeight + Number(from >> grain) * 64 + bits;
}

/** The bits of an aligned range; `undefined` for a partition of a fixed width. */
export function rangeBits(place: number): number | undefined {
  return place < firstByWeight ? undefined : place % 64;
}

export const tableOf = ({ parent, place }: Pick<Partition, "parent" | "place">): string => `${parent}_p${place}`;

/** The names of the tables that it is made of. */
export const sourcesOf = ({ parent, sources }: Pick<Partition, "parent" | "sources">): readonly string[] =>
  sources.map((place) => tableOf({ parent, place }));

/** The table that takes the place of a partition when it is complete. */
export const copyOf = (partition: Pick<Partition, "parent" | "place">): string => `${tableOf(partition)}_copy`;

/** One process replaces or removes partitions at a time. */
const lockNumber = 7_086_424;

/** Whether this transaction may replace or remove partitions. */
export async function takeSealLock(session: Pick<SqlSession, "query">): Promise<boolean> {
  const [row] = await session.query(
    `select pg_try_advisory_xact_lock(${lockNumber}, hashtext(current_schema())) as taken`,
  );
  return row?.taken === true;
}
