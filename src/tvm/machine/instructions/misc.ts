import { setCodepage } from "../control.ts";
import { measureTree } from "../data/measureTree.ts";
import { Exception, fail } from "../exceptions.ts";
import { hidden, type Instruction, opcode, uint, wrapped } from "../instruction.ts";
import { isNaNInteger } from "../integers.ts";
import { sliceTail } from "../tails.ts";
import type { Vm } from "../Vm.ts";

function dataSize(code: string, name: string, isSlice: boolean, isQuiet: boolean): Instruction {
  return opcode(code, name, 2, (vm) => {
    const { stack } = vm;
    const bound = stack.popInt();
    const value = isSlice ? stack.popSlice() : stack.popMaybeCell();
    if (isNaNInteger(bound) || bound < 0) fail(Exception.rangeCheck);
    measureTree(vm, value, Number(bound), ({ isWhole, cells, bits, refs }) => {
      if (isWhole) stack.pushAll([cells, bits, refs]);
      else if (!isQuiet) fail(Exception.cellOverflow);
      if (isQuiet) stack.pushBool(isWhole);
    });
  });
}

const doNothing = (): void => undefined;
const setCp = (_vm: Vm, codepage: number): void => setCodepage(codepage);
const debugText = sliceTail((bytes) => ({ bits: (bytes + 1) * 8, refs: 0 }));

export const miscInstructions: readonly Instruction[] = [
  opcode("FE00-FEEF", ["DEBUG", uint(8)], 0, doNothing),
  opcode("FEFx", ["DEBUGSTR", hidden(4)], { tail: debugText }, doNothing),
  opcode("FF00-FFEF", ["SETCP", uint(8)], 0, setCp),
  opcode("FFF0", "SETCPX", 1, (vm) => setCodepage(vm.stack.popSmall(0x7fff, -0x8000))),
  opcode("FFF1-FFFF", ["SETCP", wrapped(8, 15)], 0, setCp),
];

/** The sizes of trees of cells. */
export const dataSizeInstructions: readonly Instruction[] = [
  dataSize("F940", "CDATASIZEQ", false, true),
  dataSize("F941", "CDATASIZE", false, false),
  dataSize("F942", "SDATASIZEQ", true, true),
  dataSize("F943", "SDATASIZE", true, false),
];
