import { expect, it } from "vitest";
import { describeCorpus, describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { compareCase, type TraceCase } from "../../kit/contracts/compareCase.ts";
import { explainCase } from "../../kit/contracts/contractChoices.ts";
import { readRecordedCases, readVariedCases } from "../../kit/contracts/traceCases.ts";

interface Row {
  cases: number;
  equal: number;
  /** Differs only where the contract asks for it. */
  explained: number;
}

describeCorpus("classifying the recorded traces", (folder) => {
  it("gives every recorded action with every field, and shows the recorded ones", () => {
    expect(report(readRecordedCases(folder))).toEqual([]);
  });
});

describeCorpusPart("classifying the recorded traces of newer kinds", "traces-additions/", (folder) => {
  it("gives every recorded action with every field, and shows the recorded ones", () => {
    expect(report(readRecordedCases(folder, "traces-additions"))).toEqual([]);
  });
});

describeCorpus("classifying the mutated traces", (folder) => {
  it("gives the actions of the public classifier, except for the contract's choices", () => {
    expect(report(readVariedCases(folder))).toEqual([]);
  });
});

/** Prints cases by family and reasons by count; returns unexplained differences: family, mutation, case, values. */
function report(cases: Iterable<TraceCase>): string[] {
  const table = new Map<string, Row>();
  const reasons = new Map<string, number>();
  const unexplained: string[] = [];
  for (const recorded of cases) {
    const compared = compareCase(recorded);
    const row = table.get(compared.family) ?? { cases: 0, equal: 0, explained: 0 };
    table.set(compared.family, row);
    row.cases++;
    if (compared.differences.length === 0) {
      row.equal++;
    } else {
      const { choices, unexplained: left } = explainCase(recorded, compared);
      for (const choice of choices) reasons.set(choice, (reasons.get(choice) ?? 0) + 1);
      if (left.length === 0) row.explained++;
      for (const { path, expected, found } of left) {
        unexplained.push(
          `${compared.family} | ${compared.mutation} | ${path} | ${compared.name}: expected ${show(expected)} found ${show(found)}`,
        );
      }
    }
  }
  printTable(table);
  for (const [reason, count] of reasons) process.stdout.write(`${String(count).padStart(6)} not equal: ${reason}\n`);
  return unexplained.sort();
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}

function printTable(table: ReadonlyMap<string, Row>): void {
  const sum = (pick: keyof Row) => [...table.values()].reduce((total, row) => total + row[pick], 0);
  const all: Row = { cases: sum("cases"), equal: sum("equal"), explained: sum("explained") };
  printLine(["family", "cases", "equal", "explained"]);
  for (const [family, { cases, equal, explained }] of [...table, ["all", all] as const])
    printLine([family, `${cases}`, `${equal}`, `${explained}`]);
}

function printLine([family = "", ...numbers]: readonly string[]): void {
  process.stdout.write(`${family.padEnd(20)}${numbers.map((text) => text.padStart(10)).join("")}\n`);
}
