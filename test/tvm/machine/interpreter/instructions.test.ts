import { describe, expect, it } from "vitest";
import { stackHash } from "../../../../kit/tvm/machineVectors.ts";
import { codeOf, programInput, resultOf, runProgram } from "../../../../kit/tvm/runProgram.ts";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { makeLibrary } from "../../../../src/cell/exotic.ts";
import { callHeavy } from "../../../../src/tvm/crypto/heavyFunctions.ts";
import { CellBuilder, emptyBuilder } from "../../../../src/tvm/machine/CellBuilder.ts";
import { cellSlice } from "../../../../src/tvm/machine/CellSlice.ts";
import { instructions } from "../../../../src/tvm/machine/interpreter/instructions.ts";
import { openMachine } from "../../../../src/tvm/machine/interpreter/Machine.ts";
import type { StackValue } from "../../../../src/tvm/machine/StackValue.ts";

describe("declarations", () => {
  it("assign each opcode to one instruction", () => {
    const sorted = [...instructions].sort((a, b) => a.first - b.first);
    const overlaps = sorted.filter((each, i) => i > 0 && each.first <= (sorted[i - 1]?.last ?? -1));
    expect(overlaps.map(({ name }) => name)).toEqual([]);
  });

  it("have operands that fit their fixed part", () => {
    const tooLong = instructions.filter(({ args, bits }) => args.reduce((sum, arg) => sum + arg.bits, 0) > bits);
    expect(tooLong.map(({ name }) => name)).toEqual([]);
  });
});

const failing = (exception: number) => ({ exception });

describe("nulls under a condition", () => {
  it.each<[string, string, StackValue[], StackValue[]]>([
    ["NULLSWAPIF, true", "6FA0", [7, 5], [7, null, 5]],
    ["NULLSWAPIF, false", "6FA0", [7, 0], [7, 0]],
    ["NULLSWAPIFNOT, true", "6FA1", [7, 5], [7, 5]],
    ["NULLSWAPIFNOT, false", "6FA1", [7, 0], [7, null, 0]],
    ["NULLROTRIF, true", "6FA2", [7, 8, 5], [7, null, 8, 5]],
    ["NULLROTRIF, false", "6FA2", [7, 8, 0], [7, 8, 0]],
    ["NULLROTRIFNOT, true", "6FA3", [7, 8, 5], [7, 8, 5]],
    ["NULLROTRIFNOT, false", "6FA3", [7, 8, 0], [7, null, 8, 0]],
    ["NULLSWAPIF2, true", "6FA4", [7, -1], [7, null, null, -1]],
    ["NULLSWAPIF2, false", "6FA4", [7, 0], [7, 0]],
    ["NULLSWAPIFNOT2, false", "6FA5", [7, 0], [7, null, null, 0]],
    ["NULLROTRIF2, true", "6FA6", [7, 8, 5], [7, null, null, 8, 5]],
    ["NULLROTRIFNOT2, false", "6FA7", [7, 8, 0], [7, null, null, 8, 0]],
    ["NULLROTRIFNOT2, true", "6FA7", [7, 8, 1], [7, 8, 1]],
  ])("%s", (_name, code, stack, expected) => {
    expect(resultOf(code, stack)).toEqual(expected);
  });

  it("reject NaN and short stacks", () => {
    expect(resultOf("6FA0", [Number.NaN])).toEqual(failing(4));
    expect(resultOf("6FA2", [1])).toEqual(failing(2));
  });
});

describe("parameters of the context", () => {
  const context = Array.from({ length: 40 }, (_, i): StackValue => i * 10);

  it("are found by their number, including unnamed ones", () => {
    expect(resultOf("F88112F8811FF88127", [], { c7: [context] })).toEqual([180, 310, 390]);
    expect(resultOf("F88100F88111", [], { c7: [context] })).toEqual([0, 170]);
  });

  it("are a range error if missing, and a type error without a context", () => {
    expect(resultOf("F88128", [], { c7: [context] })).toEqual(failing(5));
    expect(resultOf("F881FE", [], { c7: [context] })).toEqual(failing(5));
    expect(resultOf("F88112", [], { c7: [1] })).toEqual(failing(7));
    expect(resultOf("F88112", [], { c7: [] })).toEqual(failing(5));
  });

  it("came with version 11", () => {
    expect(resultOf("F88112", [], { c7: [context], globalVersion: 10 })).toEqual(failing(6));
  });
});

describe("an optional address", () => {
  const bitsOf = (value: StackValue | undefined): number | undefined =>
    value instanceof CellBuilder ? value.bits : undefined;

  it("is stored as two zeros for null", () => {
    const end = runProgram("FA54", [null, emptyBuilder()]);
    expect([end.exitCode, end.stack.map(bitsOf)]).toEqual([0, [2]]);
  });

  it("is a type error for anything else, and in the quiet form leaves everything in place", () => {
    expect(resultOf("FA54", [5, emptyBuilder()])).toEqual(failing(7));
    for (const globalVersion of [12, 13, 14]) {
      const { exitCode, stack } = runProgram("FA55", [5, emptyBuilder()], { globalVersion });
      expect([exitCode, stack[0], bitsOf(stack[1]), stack[2]]).toEqual([0, 5, 0, -1]);
    }
  });
});

describe("a continuation that takes more arguments than it may", () => {
  it("has the low 13 bits of their number in a stored stack", () => {
    const { exitCode, stack } = runProgram("309075ED1273ED12", [0]);
    expect([exitCode, stackHash(stack)]).toEqual([
      0,
      "501b96eb8786303a2241ff5b204b06efef6d7042c137fe6c2ae9bac1a24187d8",
    ]);
  });
});

describe("libraries", () => {
  const library = codeOf("75");
  const code = beginCell().storeHex("88D0D307").storeRef(makeLibrary(library.hash())).cell();

  it("pause a run that lacks them, which then continues unchanged", () => {
    const known = runProgram(code, [], { findLibrary: () => library });
    let answer: typeof library | "unknown" = "unknown";
    const machine = openMachine(programInput(code, [], { findLibrary: () => answer }));
    expect(machine.run(100)).toEqual({ kind: "wantsLibrary", hash: library.hash() });
    expect(machine.run(100)).toEqual({ kind: "wantsLibrary", hash: library.hash() });
    answer = library;
    const end = machine.run(100);
    expect({ ...end, stack: [] }).toEqual({ ...known, stack: [] });
    expect(known.exitCode).toBe(0);
  });

  it("pause a run that starts with one", () => {
    let answer: typeof library | "unknown" = "unknown";
    const input = programInput(makeLibrary(library.hash()), [], { findLibrary: () => answer });
    const machine = openMachine(input);
    expect(machine.run(100)).toEqual({ kind: "wantsLibrary", hash: library.hash() });
    answer = library;
    expect(machine.run(100)).toMatchObject({ kind: "ended", exitCode: 0, stack: [5], gasUsed: 18 + 5 });
  });

  it("are reported if they do not exist", () => {
    expect(runProgram(code, [])).toMatchObject({ exitCode: 9, missingLibrary: library.hash() });
  });

  it("are not reported if only a machine that RUNVM started lacks them", () => {
    const { exitCode, gasUsed, stack, missingLibrary } = runProgram(codeOf("7089DB4000", [code]));
    const expected = { exitCode: 0, gasUsed: 401, stack: [0, 9], missingLibrary: undefined };
    expect({ exitCode, gasUsed, stack, missingLibrary }).toEqual(expected);
  });
});

describe("a run", () => {
  const endless = codeOf("9100EA");

  it("pauses when its budget is used up and resumes", () => {
    const whole = runProgram(endless, [], { gas: { limit: 5000, max: 5000, credit: 0 } });
    const machine = openMachine(programInput(endless, [], { gas: { limit: 5000, max: 5000, credit: 0 } }));
    let pauses = 0;
    let progress = machine.run(7);
    for (; progress.kind === "budget"; pauses++) progress = machine.run(7);
    expect(progress).toEqual(whole);
    expect(pauses).toBe(Math.floor((whole.steps - 2) / 7));
    expect(whole.exitCode).toBe(-14);
  });

  it("stops before an expensive function on demand, and continues with its result", () => {
    const zero = { kind: "heavy", call: { name: "G1.zero", args: [] } } as const;
    const { heavy: _, ...input } = programInput("F93015");
    const machine = openMachine(input);
    expect([machine.run(10), machine.run(10)]).toEqual([zero, zero]);
    expect(machine.run(10, { value: callHeavy(zero.call) })).toEqual(openMachine(programInput("F93015", [])).run(10));
  });

  it("reports its steps to a listener", () => {
    const steps: string[] = [];
    const onStep = ({
      operation,
      bit,
      gasRemaining,
      stack,
    }: {
      operation: string;
      bit: number;
      gasRemaining: number;
      stack: readonly StackValue[];
    }) => steps.push(`${bit} ${operation} ${gasRemaining} [${stack.join(" ")}]`);
    const { exitCode } = runProgram("7172A08C", [], { onStep, gas: { limit: 1000, max: 1000, credit: 0 } });
    expect(exitCode).toBe(6);
    expect(steps).toEqual(["0 PUSHINT 1 1000 []", "8 PUSHINT 2 982 [1]", "16 ADD 964 [1 2]", "24 (invalid) 946 [3]"]);
  });

  it("commits c4 and c5 at its end only if it succeeds", () => {
    const data = beginCell().storeUint(5, 8).cell();
    expect(runProgram("ED54", [data]).committed).toEqual({ c4: data, c5: emptyCell });
    expect(runProgram("ED54F223", [data]).committed).toBeUndefined();
    expect(runProgram("ED54F80FF223", [data]).committed?.c4).toBe(data);
  });

  it("gives an external message its credit until it is accepted", () => {
    const gas = { limit: 0, max: 10_000, credit: 1000 };
    expect(runProgram("00", [], { gas })).toMatchObject({ exitCode: 0, gasCredit: 1000, gasLimit: 0 });
    expect(runProgram("F800", [], { gas })).toMatchObject({ exitCode: 0, gasCredit: 0, gasLimit: 10_000 });
    expect(runProgram("9100EA", [], { gas }).exitCode).toBe(-14);
  });

  it("never changes shared values", () => {
    const stack: StackValue[] = [[1, 2], cellSlice(codeOf("AB")), emptyBuilder()];
    const copy = [...stack];
    runProgram("01" + "6F8C30", [[1], 5, [3]]);
    runProgram("C8CF400130".slice(0, 4), stack);
    expect(stack).toEqual(copy);
  });
});
