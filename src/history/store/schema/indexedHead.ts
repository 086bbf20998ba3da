import type { SqlOptions, SqlSession } from "../Database.ts";

/** The newest indexed masterchain block. */
export interface IndexedHead {
  readonly seqno: number;
  readonly utime: number;
}

/** Finds the newest indexed block, whichever process writes the index; `undefined` for an empty index. */
export async function findIndexedHead(
  database: Pick<SqlSession, "query">,
  options: SqlOptions = {},
): Promise<IndexedHead | undefined> {
  const [row] = await database.query(
    `select b.seqno, b.gen_utime from (select max(next_seqno) - 1 as seqno from segments where next_seqno > first_seqno) s
     join blocks b on b.workchain = -1 and b.shard = (-9223372036854775808)::bigint and b.seqno = s.seqno`,
    [],
    options,
  );
  return row === undefined ? undefined : { seqno: Number(row.seqno), utime: Number(row.gen_utime) };
}
