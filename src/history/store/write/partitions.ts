import type { SqlSession } from "../Database.ts";
import type { BatchRows } from "./BatchRows.ts";

/** Logical times are named by their upper bits: a block has few of them, and no partition is narrower. */
const grain = 24n;

/** Makes the partitions that the rows of a commit need; runs in its transaction. */
export async function makePartitions(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const grains = new Set<bigint>();
  for (const batch of batches) for (const lt of listLts(batch)) grains.add(lt >> grain);
  if (grains.size === 0) return;
  await session.query("select make_partitions($1::bigint[])", [[...grains].map((each) => String(each << grain))]);
}

/** The logical times by which the rows of a block are partitioned. */
function* listLts(rows: BatchRows): Generator<bigint, void, void> {
  for (const { lt } of rows.transactions) yield lt;
  for (const { lt } of rows.messages) yield lt;
  for (const { lt } of rows.accountStates) yield lt;
  for (const { startLt } of rows.traces) yield startLt;
  for (const { endLt } of rows.traceAccounts) yield endLt;
  for (const { traceEndLt } of rows.actions) yield traceEndLt;
  for (const { traceEndLt } of rows.actionAccounts) yield traceEndLt;
  for (const list of [rows.jettonTransfers, rows.jettonBurns, rows.nftTransfers])
    for (const { txLt } of list) yield txLt;
}
