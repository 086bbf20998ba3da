import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { emptyBuilder } from "../../src/tvm/machine/CellBuilder.ts";
import { cellSlice } from "../../src/tvm/machine/CellSlice.ts";
import type { Instruction } from "../../src/tvm/machine/instruction.ts";
import { instructions } from "../../src/tvm/machine/interpreter/instructions.ts";
import type { MachineInput } from "../../src/tvm/machine/MachineRun.ts";
import type { StackValue } from "../../src/tvm/machine/StackValue.ts";
import { programInput } from "./runProgram.ts";

/** Seeded random numbers below a limit; a linear congruential generator is good enough to choose opcodes. */
export function makeRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export type Random = ReturnType<typeof makeRandom>;

/** Random declared opcodes with some meaningless bytes, and more code in references. */
export function randomCode(random: Random, depth: number, chosenFrom: readonly Instruction[] = instructions): Cell {
  const builder = beginCell();
  const refs = depth === 0 ? 0 : random(3);
  for (let left = random(24); left >= 0 && builder.remainingBits > 40; left--) {
    const chosen = chosenFrom[random(chosenFrom.length)];
    if (chosen === undefined || random(12) === 0) {
      builder.storeUint(random(256), 8);
    } else {
      const opcode = chosen.first + random(chosen.last - chosen.first + 1);
      builder.storeUint(opcode >>> (24 - chosen.bits), chosen.bits);
    }
  }
  for (let i = 0; i < refs; i++) builder.storeRef(randomCode(random, depth - 1, chosenFrom));
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

export const randomGasLimit = 4000;

/** A run of random code on a random stack, determined by the seed. */
export function randomInput(seed: number): MachineInput {
  const random = makeRandom(seed);
  const stack = Array.from({ length: random(8) }, () => randomValue(random));
  const code = randomCode(random, 2);
  const c7: StackValue[] = [Array.from({ length: 18 }, () => randomValue(random))];
  const gas = { limit: randomGasLimit, max: randomGasLimit, credit: 0 };
  return programInput(code, stack, { c7, gas, globalVersion: 4 + random(12) });
}
