import type { JsonObject } from "../../lib/json.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { Style } from "../terminal/style.ts";
import type { Disagreement } from "./compareMeanings.ts";
import type { Judgement } from "./judge.ts";
import { formatQuestion, type Question } from "./Question.ts";

type Kind = Judgement["kind"];

interface Found {
  readonly question: Question;
  readonly judgement: Extract<Judgement, { kind: "different" }>;
}

/** The columns of the table. */
const kinds = [
  ["equal", "equal"],
  ["different", "DIFFERENT"],
  ["otherBlock", "other block"],
  ["refused", "refused"],
  ["unproved", "unproved"],
] as const satisfies readonly (readonly [Kind, string])[];

/** Differences and reasons that are printed; the file has all of them. */
const maxShown = 20;
const maxValueLength = 60;

/** Counts what an audit found, and keeps every difference with its proof. */
export class AuditReport {
  readonly #counts = new Map<string, Map<Kind, number>>();
  readonly #different: Found[] = [];
  /** How often each reason was given. */
  readonly #reasons = new Map<string, number>();

  add(question: Question, judgement: Judgement): void {
    const { kind } = judgement;
    const counts = this.#counts.get(question.operation) ?? new Map<Kind, number>();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    this.#counts.set(question.operation, counts);
    if (judgement.kind === "different") this.#different.push({ question, judgement });
    if ("reason" in judgement) {
      const reason = `${question.operation} ${kind}: ${judgement.reason}`;
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
  }

  count(kind: Kind): number {
    return [...this.#counts.values()].reduce((sum, counts) => sum + (counts.get(kind) ?? 0), 0);
  }

  /** Number of answers that were compared with a proved one. */
  get compared(): number {
    return this.count("equal") + this.count("different") + this.count("otherBlock");
  }

  /** The report as plain values, with the answers of lite servers that prove each difference. */
  facts(url: string): JsonObject {
    return {
      url,
      operations: Object.fromEntries(
        [...this.#counts].map(([operation, counts]) => [
          operation,
          Object.fromEntries(kinds.map(([kind]) => [kind, counts.get(kind) ?? 0])),
        ]),
      ),
      differences: this.#different.map(({ question, judgement: { disagreements, proved, answered } }) => ({
        ...question,
        disagreements: disagreements.map((each) => ({ ...each })),
        proved: proved.result,
        answered,
        proof: (proved.proof ?? null) as JsonObject | null,
      })),
      reasons: Object.fromEntries(this.#reasons),
    };
  }

  format({ strong, faint, accent }: Style): string {
    const rows = [...this.#counts].map(([operation, counts]) => [
      operation,
      ...kinds.map(([kind]) => String(counts.get(kind) ?? "·")),
    ]);
    const lines = formatTable([["operation", ...kinds.map(([, title]) => title)], ...rows]);
    const reasons = [...this.#reasons]
      .slice(0, maxShown)
      .map(([reason, count]) => `  ${toPrintable(reason)}${times(count)}`);
    const shown = this.#different.slice(0, maxShown).flatMap(formatDifference);
    const more = this.#different.length - maxShown;
    return [
      ...lines.map((line, at) => (at === 0 ? strong(line) : line)),
      ...(reasons.length === 0 ? [] : ["", strong("Without comparison"), ...reasons.map(faint)]),
      ...(shown.length === 0 ? [] : ["", strong("Differences"), ...shown.map((line) => accent(line))]),
      ...(more > 0 ? [`  and ${more} more`] : []),
      "",
    ].join("\n");
  }
}

function times(count: number): string {
  return count === 1 ? "" : ` (${count} times)`;
}

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

function formatDifference({ question, judgement: { disagreements, proved } }: Found): string[] {
  return [
    `  ${toPrintable(formatQuestion(question))}, proved at block ${proved.headSeqno}`,
    ...disagreements.slice(0, maxShown).map(formatDisagreement),
  ];
}

function formatDisagreement({ path, proved, answered }: Disagreement): string {
  const [ours, theirs] = [proved, answered].map((value) => {
    const text =
      typeof value === "string"
        ? value
        : JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
    return toPrintable(text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text);
  });
  return `    ${path === "" ? "the answer" : toPrintable(path)}: the chain says ${ours}, the service says ${theirs}`;
}
