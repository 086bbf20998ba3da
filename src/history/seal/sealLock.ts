import type { SqlSession } from "../store/Database.ts";

/** One process replaces or removes partitions at a time. */
const lockNumber = 7_086_424;

/** Whether this transaction may replace or remove partitions. */
export async function takeSealLock(session: Pick<SqlSession, "query">): Promise<boolean> {
  const [row] = await session.query(
    `select pg_try_advisory_xact_lock(${lockNumber}, hashtext(current_schema())) as taken`,
  );
  return row?.taken === true;
}
