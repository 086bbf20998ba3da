import type { SqlRow } from "../../store/Database.ts";
import type { HistorySnapshot } from "../History.ts";
import { type Page, unsearched } from "./Page.ts";
import type { Statement } from "./Statement.ts";

/** Reads a page; `searched` finds a row when there are more rows than the page was searched for in. */
export async function readPage(
  reading: HistorySnapshot,
  page: Page,
  statement: Statement,
  searched: () => Statement | undefined,
): Promise<readonly SqlRow[]> {
  const rows = await reading.query(statement);
  if (rows.length >= page.limit) return rows;
  const left = searched();
  if (left !== undefined && (await reading.query(left)).length > 0) throw unsearched();
  return rows;
}
