import { runLater, type SqlSession } from "../Database.ts";
import { blockTables } from "../schema/blockTables.ts";
import type { BatchRows } from "./BatchRows.ts";

/** Logical times are named by their upper bits: a block has few of them, and no partition is narrower. */
const grain = 24n;

/** Makes the partitions that the rows of a commit need; runs in its transaction. */
export async function makePartitions(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const grains = new Set<bigint>();
  for (const batch of batches) for (const lt of listLts(batch)) grains.add(lt >> grain);
  if (grains.size === 0) return;
  const lts = [...grains].map((each) => String(each << grain));
  await runLater(session, "select make_partitions($1::bigint[])", [lts], { plan: "kept" });
}

/** The partitioned tables that blocks fill, each with the column of its partitions. */
const partitioned = blockTables.flatMap(([name, { retention }]) =>
  retention.kind === "partitioned" ? [{ name, by: retention.by }] : [],
);

/** The logical times by which the rows of a block are partitioned. */
function* listLts(batch: BatchRows): Generator<bigint, void, void> {
  for (const { name, by } of partitioned) {
    const rows: readonly object[] = batch[name];
    for (const row of rows) yield (row as Readonly<Record<string, bigint>>)[by] as bigint;
  }
}
