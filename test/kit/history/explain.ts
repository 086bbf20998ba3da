import type { Statement } from "../../../src/history/queries/kit/Statement.ts";
import type { Database, SqlRow, SqlSession } from "../../../src/history/store/Database.ts";

/** What a query promises of its plan. */
export interface PlanPromise {
  readonly statement: Statement;
  /** Whether the rows that are sorted are few by what is asked for; otherwise an index must give them in order. */
  readonly sorts?: boolean;
  /** Whether rows may be walked along an index instead of being found by it: lists without a filter. */
  readonly walks?: boolean;
  /** The index that leads to the rows, where others would lead to many more. */
  readonly by?: string;
}

/** Statements in their different forms, by the names of the functions that make them. */
export type PlanCases = Readonly<Record<string, Readonly<Record<string, PlanPromise>>>>;

/** The plan of a statement when whole tables are read, and many rows sorted, only where there is no other way. */
export async function explain(
  database: Pick<Database, "write">,
  { statement: { text, params, plan = "made" }, sorts = false }: PlanPromise,
): Promise<string> {
  return database.write(async (session) => {
    await session.run(`set local enable_seqscan = off; set local enable_sort = ${sorts ? "on" : "off"}`);
    const rows = await (plan === "made"
      ? session.query(`explain (costs off) ${text}`, params)
      : explainKept(session, text, params.length));
    // Partitions and their indexes have the name of the table or index, and a number.
    return rows.map((row) => String(Object.values(row)[0]).replace(/_p\d+\b/g, "")).join("\n");
  });
}

/** A plan that is made without looking at values, and so is explained without them. */
async function explainKept(session: SqlSession, text: string, count: number): Promise<readonly SqlRow[]> {
  await session.run(`set local plan_cache_mode = force_generic_plan; prepare kept as ${text}`);
  const rows = await session.query(`explain (costs off) execute kept (${Array(count).fill("null").join(", ")})`);
  await session.run("deallocate kept");
  return rows;
}

/** What a plan does that its query promised not to do. */
export function listBroken(plan: string, { sorts = false, walks = false, by }: PlanPromise): readonly string[] {
  const broken = plan.match(/Seq Scan on \w+/g)?.map((each) => `reads a whole table: ${each}`) ?? [];
  if (!sorts && /^[ >-]*Sort$/m.test(plan)) broken.push("sorts all rows");
  if (!walks) broken.push(...listWalks(plan));
  if (by !== undefined && !new RegExp(`\\b${by}\\b`).test(plan)) broken.push(`does not come by ${by}`);
  return broken;
}

/** Scans of an index that no condition enters. */
function listWalks(plan: string): readonly string[] {
  const lines = plan.split("\n");
  return lines.flatMap((line, at) => {
    const scan = /Index (?:Only )?Scan.* using (\w+)|Bitmap Index Scan on (\w+)/.exec(line);
    if (scan === null || (lines[at + 1] ?? "").includes("Index Cond:")) return [];
    return [`walks along ${scan[1] ?? scan[2]}`];
  });
}
