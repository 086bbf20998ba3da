import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { emptyBuilder } from "../../../src/tvm/machine/CellBuilder.ts";
import { cellSlice } from "../../../src/tvm/machine/CellSlice.ts";
import { instructions } from "../../../src/tvm/machine/instructions.ts";
import { openMachine } from "../../../src/tvm/machine/Machine.ts";
import type { MachineEnd } from "../../../src/tvm/machine/MachineRun.ts";
import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";
import { toVmStack } from "../../../src/tvm/machine/vmStack.ts";
import { programInput } from "../../kit/tvm/runProgram.ts";

/** Numbers below a limit from a seed: a linear congruence is random enough to choose opcodes. */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Random = ReturnType<typeof makeRandom>;

/** Code of declared opcodes, with some bytes that mean nothing, and more code in references. */
function randomCode(random: Random, depth: number): Cell {
  const builder = beginCell();
  const refs = depth === 0 ? 0 : random(3);
  for (let left = random(24); left >= 0 && builder.remainingBits > 40; left--) {
    const chosen = instructions[random(instructions.length)];
    if (chosen === undefined || random(12) === 0) {
      builder.storeUint(random(256), 8);
    } else {
      const opcode = chosen.first + random(chosen.last - chosen.first + 1);
      builder.storeUint(opcode >>> (24 - chosen.bits), chosen.bits);
    }
  }
  for (let i = 0; i < refs; i++) builder.storeRef(randomCode(random, depth - 1));
  return builder.cell();
}

function randomValue(random: Random): StackValue {
  const values: readonly (() => StackValue)[] = [
    () => random(300) - 20,
    () => 2n ** BigInt(64 + random(190)) - BigInt(random(5)),
    () => Number.NaN,
    () => null,
    () => emptyCell,
    () => cellSlice(randomCode(random, 1)),
    () => emptyBuilder().withUint(random(256), 8),
    () => [random(9), null, [1]],
  ];
  return (values[random(values.length)] as () => StackValue)();
}

const gasLimit = 4000;

function runRandom(seed: number, budget: number): MachineEnd {
  const random = makeRandom(seed);
  const stack = Array.from({ length: random(8) }, () => randomValue(random));
  const code = randomCode(random, 2);
  const c7: StackValue[] = [Array.from({ length: 18 }, () => randomValue(random))];
  const gas = { limit: gasLimit, max: gasLimit, credit: 0 };
  const machine = openMachine(programInput(code, stack, { c7, gas, globalVersion: 4 + random(12) }));
  for (;;) {
    const progress = machine.run(budget);
    if (progress.kind === "ended") return progress;
    expect(progress.kind).toBe("budget");
  }
}

describe("random code", () => {
  it("ends by itself within its gas, whatever it is", () => {
    let exhausted = 0;
    for (let seed = 1; seed <= 20_000; seed++) {
      const end = runRandom(seed, 64);
      const isWithin = end.gasUsed <= gasLimit || end.exitCode === -14;
      if (!isWithin || toVmStack(end.stack).length !== end.stack.length) expect({ seed, end }).toBeUndefined();
      if (end.exitCode === -14) exhausted++;
    }
    expect(exhausted).toBeGreaterThan(20);
  });

  it("ends the same way however it is cut into pieces", () => {
    const withoutCells = (end: MachineEnd) => ({ ...end, stack: end.stack.length, committed: undefined });
    for (let seed = 1; seed <= 300; seed++)
      expect(withoutCells(runRandom(seed, 1))).toEqual(withoutCells(runRandom(seed, 1000)));
  });
});
