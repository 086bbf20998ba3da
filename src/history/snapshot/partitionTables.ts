import type { SqlSession } from "../store/Database.ts";

type Queryable = Pick<SqlSession, "query">;

/** The numbers of a table's partitions, in order; none for a table that is not partitioned. */
export async function listPartitions(session: Queryable, table: string): Promise<readonly number[]> {
  const rows = await session.query(
    `select substring(c.relname from '_p([0-9]+)$')::int as number
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass($1) and c.relkind = 'r' order by 1`,
    [table],
  );
  return rows.map(({ number }) => Number(number));
}
