import { explain } from "./v2Differences.ts";
import { askAgain, compareAnswers, operationOf, type V2Record } from "./v2Golden.ts";

interface Row {
  requests: number;
  equal: number;
  explained: number;
}

/** The outcome of replaying recorded requests. */
export interface CheckedRecords {
  readonly rows: ReadonlyMap<string, Row>;
  /** Number of uses of each rule. */
  readonly used: ReadonlyMap<string, number>;
  /** Differences that no rule explains. */
  readonly unexplained: readonly unknown[];
}

const together = 4;

/** Sends every recorded request again and compares the answers. */
export async function checkV2Records(origin: string, records: readonly V2Record[]): Promise<CheckedRecords> {
  const rows = new Map<string, Row>();
  const used = new Map<string, number>();
  const unexplained: unknown[] = [];
  const check = async (record: V2Record): Promise<void> => {
    const row = rows.get(operationOf(record)) ?? { requests: 0, equal: 0, explained: 0 };
    rows.set(operationOf(record), row);
    row.requests++;
    const actual = await askAgain(origin, record);
    const differences = compareAnswers(record, actual);
    const rules = differences.length === 0 ? new Set<string>() : explain(record, actual, differences);
    if (rules === undefined) {
      const { id, note, request } = record;
      unexplained.push({ id, note, request, differences: differences.slice(0, 8) });
      return;
    }
    if (differences.length === 0) row.equal++;
    else row.explained++;
    for (const name of rules) used.set(name, (used.get(name) ?? 0) + 1);
  };
  const next = records[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const record of next) await check(record);
  };
  await Promise.all(Array.from({ length: together }, work));
  return { rows, used, unexplained };
}

/** Formats the counts of requests, equal answers and explained differences as a table. */
export function formatChecked({ rows, used }: CheckedRecords): string {
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b));
  const lines = sorted.map(([name, { requests, equal, explained }]) => [name, requests, equal, explained].join("\t"));
  const sum = (pick: (row: Row) => number) => sorted.reduce((all, [, row]) => all + pick(row), 0);
  const sums = [sum(({ requests }) => requests), sum(({ equal }) => equal), sum(({ explained }) => explained)];
  const rules = [...used].map(([name, count]) => `  ${count}\t${name}`);
  const head = "operation\trequests\tequal\texplained";
  return `${[head, ...lines, ["all", ...sums].join("\t"), "explained by", ...rules].join("\n")}\n`;
}
