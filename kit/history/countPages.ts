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

/** The most rows that one scan of tables or indexes reads in a statement, those that it then leaves out among them. */
export async function scannedRowsOf(
  session: Pick<SqlSession, "query">,
  sql: string,
  params: readonly SqlParam[],
): Promise<number> {
  const rows = await session.query(`explain (analyze, timing off, format json) ${sql}`, params);
  const plans: unknown = rows[0]?.["QUERY PLAN"];
  let most = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const node: Readonly<Record<string, unknown>> = { ...value };
    const each = Number(node["Actual Rows"] ?? 0) + Number(node["Rows Removed by Filter"] ?? 0);
    if (/(?<!Function) Scan$/.test(String(node["Node Type"])))
      most = Math.max(most, each * Number(node["Actual Loops"] ?? 1));
    Object.values(node).forEach(visit);
  };
  visit(typeof plans === "string" ? JSON.parse(plans) : plans);
  return most;
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
