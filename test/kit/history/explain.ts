import type { Statement } from "../../../src/history/queries/kit/Statement.ts";
import type { Database, SqlRow, SqlSession } from "../../../src/history/store/Database.ts";

/** A statement and the rules for its plan. */
export interface PlanPromise {
  readonly statement: Statement;
  /** Whether sorting is allowed, because the filter leaves few rows; otherwise an index must give the order. */
  readonly sorts?: boolean;
  /** Whether scanning along an index without a condition is allowed: lists without a filter. */
  readonly walks?: boolean;
  /** The index that must be used, if others would read many more rows. */
  readonly by?: string;
}

/** Statements in their variants, by the function that makes them. */
export type PlanCases = Readonly<Record<string, Readonly<Record<string, PlanPromise>>>>;

/** The plan of a statement with sequential scans disabled, and sorts too unless they are allowed. */
export async function explain(
  database: Pick<Database, "write">,
  { statement: { text, params, plan = "made" }, sorts = false }: PlanPromise,
): Promise<string> {
  return database.write(async (session) => {
    await session.run(`set local enable_seqscan = off; set local enable_sort = ${sorts ? "on" : "off"}`);
    const rows = await (plan === "made"
      ? session.query(`explain (costs off) ${text}`, params)
      : explainKept(session, text, params.length));
    // Names of partitions and their indexes are the base name and a number.
    return rows.map((row) => String(Object.values(row)[0]).replace(/_p\d+\b/g, "")).join("\n");
  });
}

/** Explains a generic plan, which does not depend on values. */
async function explainKept(session: SqlSession, text: string, count: number): Promise<readonly SqlRow[]> {
  await session.run(`set local plan_cache_mode = force_generic_plan; prepare kept as ${text}`);
  const rows = await session.query(`explain (costs off) execute kept (${Array(count).fill("null").join(", ")})`);
  await session.run("deallocate kept");
  return rows;
}

/** The rules that a plan breaks. */
export function listBroken(plan: string, { sorts = false, walks = false, by }: PlanPromise): readonly string[] {
  const broken = plan.match(/Seq Scan on \w+/g)?.map((each) => `reads a whole table: ${each}`) ?? [];
  if (!sorts && /^[ >-]*Sort$/m.test(plan)) broken.push("sorts all rows");
  if (!walks) broken.push(...listWalks(plan));
  if (by !== undefined && !new RegExp(`\\b${by}\\b`).test(plan)) broken.push(`does not use ${by}`);
  return broken;
}

/** Index scans without a condition. */
function listWalks(plan: string): readonly string[] {
  const lines = plan.split("\n");
  return lines.flatMap((line, at) => {
    const scan = /Index (?:Only )?Scan.* using (\w+)|Bitmap Index Scan on (\w+)/.exec(line);
    if (scan === null || (lines[at + 1] ?? "").includes("Index Cond:")) return [];
    return [`walks along ${scan[1] ?? scan[2]}`];
  });
}
