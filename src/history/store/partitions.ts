import type { BatchRows } from "./BatchRows.ts";
import type { SqlSession } from "./Database.ts";

/** Logical times are named by their upper bits: a block has few of them, and no partition is narrower. */
const grain = 24n;

/** Makes the partitions that the rows of a commit need; runs in its transaction. */
export async function makePartitions(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const grains = new Set<bigint>();
  for (const lt of batches.flatMap(listLts)) grains.add(lt >> grain);
  if (grains.size === 0) return;
  await session.query("select make_partitions($1::bigint[])", [[...grains].map((each) => String(each << grain))]);
}

/** The logical times by which the rows of a block are partitioned. */
function listLts(rows: BatchRows): readonly bigint[] {
  return [
    ...rows.transactions.map(({ lt }) => lt),
    ...rows.messages.map(({ lt }) => lt),
    ...rows.accountStates.map(({ lt }) => lt),
    ...rows.traces.map(({ startLt }) => startLt),
    ...rows.traceAccounts.map(({ endLt }) => endLt),
    ...rows.actions.map(({ traceEndLt }) => traceEndLt),
    ...rows.actionAccounts.map(({ traceEndLt }) => traceEndLt),
    ...[...rows.jettonTransfers, ...rows.jettonBurns, ...rows.nftTransfers].map(({ txLt }) => txLt),
  ];
}
