import type { Database, SqlParam, SqlSession } from "../../src/history/store/Database.ts";

/** A database that explains each statement first, to count the pages it touches. */
export interface PageCounter {
  readonly database: Pick<Database, "read">;
  /** The number of pages since the last call. */
  take(): number;
}

/** Pages touched by a statement, in memory or not. */
export async function pagesOf(
  session: Pick<SqlSession, "query">,
  sql: string,
  params: readonly SqlParam[],
): Promise<number> {
  const rows = await session.query(`explain (analyze, buffers, timing off, format json) ${sql}`, params);
  const plan = JSON.stringify(rows);
  const read = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(plan)?.[1] ?? Number.NaN);
  return read("Shared Hit Blocks") + read("Shared Read Blocks");
}

/** Counts the pages of all statements that read from a database. */
export function countPages(database: Pick<Database, "read">): PageCounter {
  let pages = 0;
  return {
    database: {
      read: (work, options) =>
        database.read((session) => {
          const query: SqlSession["query"] = async (sql, params = [], own) => {
            pages += await pagesOf(session, sql, params);
            return session.query(sql, params, own);
          };
          return work({ ...session, query });
        }, options),
    },
    take: () => {
      const taken = pages;
      pages = 0;
      return taken;
    },
  };
}
