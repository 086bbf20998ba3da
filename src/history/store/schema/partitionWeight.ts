import type { Database } from "../Database.ts";

/**
 * How many transactions a new partition should hold. Page images make up most of the WAL after a checkpoint; with this
 * many transactions all indexes of the head together have so few pages that they stay below half of it. See
 * docs/decisions/016-partitions-by-weight.md.
 */
export const partitionWeight = 400_000;

/** The fact by which the database makes small partitions; see `choose_partition`. */
const weightFact = "partition_weight";

/**
 * Whether partitions can be sealed and merged. The tables of a cluster are distributed, and the parts of one cannot be
 * replaced.
 */
export function canSeal({ kind, layout }: Pick<Database, "kind" | "layout">): boolean {
  return kind === "postgres" && layout !== "distributed";
}

/** Lets the database make small partitions where they are merged later: many partitions make every statement slower. */
export async function weighPartitions(database: Database): Promise<void> {
  const sql = canSeal(database)
    ? `insert into index_facts (name, value) values ('${weightFact}', '${partitionWeight}') on conflict do nothing`
    : `delete from index_facts where name = '${weightFact}'`;
  await database.write((session) => session.run(sql));
}
