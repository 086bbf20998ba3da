import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { runToEnd, stackHash, stackOf, VectorEnvironment, vectorVersions } from "../../../kit/tvm/machineVectors.ts";
import { cellOf } from "../../../kit/tvm/tvmRecords.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";

interface Outcome {
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: string;
  readonly missingLibrary: string | undefined;
}

/** Runs every version in turn; returns the first difference of a record. */
function findDifference(
  what: string,
  expected: Outcome,
  input: Parameters<typeof runToEnd>[0],
): { readonly what: string; readonly got: Outcome; readonly expected: Outcome } | undefined {
  const end = runToEnd(input);
  const { exitCode, gasUsed, missingLibrary } = end;
  const got = { exitCode, gasUsed, stack: stackHash(end.stack).slice(0, expected.stack.length), missingLibrary };
  const isSame =
    got.exitCode === expected.exitCode &&
    got.gasUsed === expected.gasUsed &&
    got.stack === expected.stack &&
    got.missingLibrary === expected.missingLibrary;
  return isSame ? undefined : { what, got, expected };
}

describeCorpusPart("programs of the corpus", ["tvm/*.jsonl.gz", "tvm/environment.json"], (folder) => {
  const environment = new VectorEnvironment(folder);

  /** The differences of one program and the number of runs. */
  function checkProgram(record: Readonly<Record<string, unknown>>): {
    readonly runs: number;
    readonly wrong: unknown[];
  } {
    const code = cellOf(record.code);
    const libraries = record.libraries === undefined ? undefined : asText(record.libraries);
    const hashes = new Map<string, string>();
    const wrong: unknown[] = [];
    let runs = 0;
    for (const each of asList(record.runs)) {
      const { in_boc: boc, gas_limit: limit = environment.defaultGasLimit, versions } = asRecord(each);
      const stack = stackOf(boc);
      let outcome: unknown;
      for (const version of vectorVersions) {
        const given = asRecord(versions)[version];
        outcome = given === "same" ? outcome : given;
        const expected = outcomeOf(asRecord(outcome), hashes);
        const input = environment.input(code, stack, version, Number(limit), libraries);
        const difference = findDifference(`${asText(record.id)} version ${version}`, expected, input);
        if (difference !== undefined) wrong.push(difference);
        runs++;
      }
    }
    return { runs, wrong };
  }

  const files = listFiles(folder, "tvm", ".jsonl.gz").filter((path) => /instructions|programs/.test(path));
  it.each(files)("%s: every run ends with the recorded exit code, gas and stack in every version", (path) => {
    const results = readJsonLinesGz(folder, path).map((record) => checkProgram(asRecord(record)));
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(results.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThan(0);
  });
});

/** Caches hashes of recorded stacks, which repeat within a program. */
function outcomeOf(properties: Readonly<Record<string, unknown>>, hashes: Map<string, string>): Outcome {
  const { exit_code: exitCode, gas_used: gasUsed, stack_boc: boc, missing_library: missing } = properties;
  const text = asText(boc);
  const stack = hashes.get(text) ?? cellOf(text).hash();
  hashes.set(text, stack);
  const missingLibrary = missing === undefined ? undefined : asText(missing).toLowerCase();
  return { exitCode: Number(exitCode), gasUsed: Number(gasUsed), stack, missingLibrary };
}

describeCorpusPart("all opcodes of the corpus", "tvm/*sweep.jsonl.gz", (folder) => {
  const environment = new VectorEnvironment(folder);
  const { gas_limit: gasLimit, stacks, trailing_zero_bits: zeros } = environment.sweep;
  const given = new Map(Object.entries(asRecord(stacks)).map(([name, boc]) => [name, stackOf(boc)]));

  /** DROP, the opcode, zeros, and two references to the empty cell. */
  function codeOf(first: number, second: number): Cell {
    const builder = beginCell().storeUint(0x30, 8).storeUint(first, 8).storeUint(second, 8);
    return builder
      .storeUint(0, Number(zeros) / 2)
      .storeUint(0, Number(zeros) / 2)
      .storeRef(emptyCell)
      .storeRef(emptyCell)
      .cell();
  }

  function checkByte(
    record: Readonly<Record<string, unknown>>,
    version: number,
  ): { readonly runs: number; readonly wrong: unknown[] } {
    const first = Number.parseInt(asText(record.first_byte), 16);
    const changed = asRecord(asRecord(record.differences ?? {})[version] ?? {});
    const wrong: unknown[] = [];
    let runs = 0;
    for (const [name, outcomes] of Object.entries(asRecord(record.results))) {
      const stack = given.get(name) as StackValue[];
      const different = asRecord(changed[name] ?? {});
      asList(outcomes).forEach((outcome, second) => {
        const expected = different[second.toString(16).padStart(2, "0")] ?? outcome;
        if (expected === null) return;
        const [exitCode, gasUsed, hash] = asList(expected);
        runs++;
        const difference = findDifference(
          `${asText(record.first_byte)} ${second.toString(16)} on ${name} version ${version}`,
          { exitCode: Number(exitCode), gasUsed: Number(gasUsed), stack: asText(hash), missingLibrary: undefined },
          environment.input(codeOf(first, second), stack, version, Number(gasLimit)),
        );
        if (difference !== undefined) wrong.push(difference);
      });
    }
    return { runs, wrong };
  }

  const files = listFiles(folder, "tvm", "sweep.jsonl.gz");
  it.each(files)("%s: all pairs of bytes end with the recorded exit code, gas and stack in every version", (path) => {
    const results = readJsonLinesGz(folder, path).flatMap((record) =>
      vectorVersions.map((version) => checkByte(asRecord(record), version)),
    );
    expect(results.flatMap(({ wrong }) => wrong).slice(0, 20)).toEqual([]);
    expect(results.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThan(0);
  });
});
