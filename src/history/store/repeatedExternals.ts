import type { Hash } from "../../model/Hash.ts";
import type { BatchRows } from "./BatchRows.ts";
import { hash as hashColumn } from "./columns.ts";
import type { SqlSession } from "./Database.ts";

/**
 * Leaves out messages from outside that another block has brought already. Such a message may be received several
 * times, and its lt is that of one receiver, so the key of the table does not find the row of the others.
 */
export async function leaveOutRepeated(
  session: SqlSession,
  batches: readonly BatchRows[],
): Promise<readonly BatchRows[]> {
  const firsts = new Map<Hash, bigint>();
  const externals = batches.flatMap(({ messages }) => messages.filter(({ createdLt }) => createdLt === undefined));
  for (const { hash, lt } of externals) if (!firsts.has(hash)) firsts.set(hash, lt);
  if (firsts.size === 0) return batches;
  const sql = "select hash, lt from messages where hash = any($1::bytea[]) and created_lt is null";
  const stored = await session.query(sql, [[...firsts.keys()].map(hashColumn.write)]);
  for (const row of stored) firsts.set(hashColumn.read(row.hash ?? null), BigInt(String(row.lt)));
  const isKept = ({ hash, lt, createdLt }: BatchRows["messages"][number]) =>
    createdLt !== undefined || firsts.get(hash) === lt;
  return batches.map((batch) => {
    return batch.messages.every(isKept) ? batch : { ...batch, messages: batch.messages.filter(isKept) };
  });
}
