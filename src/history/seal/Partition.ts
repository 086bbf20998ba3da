import type { SqlSession } from "../store/Database.ts";

/** A partition of a table. */
export interface Partition {
  readonly parent: string;
  readonly place: number;
  /** The column by which the table is partitioned, and its values: from `from` on, below `to`. */
  readonly column: string;
  readonly from: bigint;
  readonly to: bigint;
}

export const tableOf = ({ parent, place }: Pick<Partition, "parent" | "place">): string => `${parent}_p${place}`;

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
