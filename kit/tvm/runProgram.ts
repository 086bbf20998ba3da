import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { callHeavy } from "../../src/tvm/crypto/heavyFunctions.ts";
import type { MachineEnd, MachineInput } from "../../src/tvm/machine/MachineRun.ts";
import type { StackValue } from "../../src/tvm/machine/StackValue.ts";
import { runToEnd } from "./machineVectors.ts";

export function codeOf(hex: string, refs: readonly Cell[] = []): Cell {
  const builder = beginCell().storeHex(hex);
  for (const ref of refs) builder.storeRef(ref);
  return builder.cell();
}

/** The input of a bare run; defaults to version 14 and one million gas. */
export function programInput(
  code: Cell | string,
  stack: readonly StackValue[] = [],
  more: Partial<MachineInput> = {},
): MachineInput {
  return {
    ...{ code: typeof code === "string" ? codeOf(code) : code, stack, data: emptyCell, c7: [], globalVersion: 14 },
    ...{ gas: { limit: 1_000_000, max: 1_000_000, credit: 0 }, heavy: callHeavy },
    ...more,
  };
}

export function runProgram(
  code: Cell | string,
  stack: readonly StackValue[] = [],
  more: Partial<MachineInput> = {},
): MachineEnd {
  return runToEnd(programInput(code, stack, more));
}

/** The stack that the code leaves, or the number of its exception. */
export function resultOf(
  code: Cell | string,
  stack: readonly StackValue[] = [],
  more: Partial<MachineInput> = {},
): readonly StackValue[] | { readonly exception: number } {
  const end = runProgram(code, stack, more);
  return end.exitCode === 0 ? end.stack : { exception: end.exitCode };
}
