import { setCodepage } from "../control.ts";
import { measureTree } from "../data/measureTree.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint, wrapped } from "../instruction.ts";
import { isNaNInteger } from "../integers.ts";
import { sliceTail } from "../tails.ts";
import type { Vm } from "../Vm.ts";

/** Counts the cells below a cell or slice, up to a number of cells. */
function dataSize(opcode: string, name: string, isSlice: boolean, isQuiet: boolean): Instruction {
  return plain(opcode, `${name}${isQuiet ? "Q" : ""}`, (vm) => {
    const { stack } = vm;
    stack.need(2);
    const bound = stack.popInt();
    const value = isSlice ? stack.popSlice() : stack.popMaybeCell();
    if (isNaNInteger(bound) || bound < 0) fail(Exception.rangeCheck);
    const size = measureTree(vm, value, Number(bound));
    if (size.isWhole) stack.pushAll([size.cells, size.bits, size.refs]);
    else if (!isQuiet) fail(Exception.cellOverflow);
    if (isQuiet) stack.pushBool(size.isWhole);
  });
}

const doNothing = (): void => undefined;

const debug: readonly Instruction[] = [
  instruction({ name: "DEBUG", opcode: "FE00-FEEF", args: [uint(8)], run: doNothing }),
  instruction({
    ...{ name: "DEBUGSTR", opcode: "FEFx", args: [{ ...uint(4), show: () => "" }] },
    tail: sliceTail((bytes) => ({ bits: (bytes + 1) * 8, refs: 0 })),
    run: doNothing,
  }),
];

const setCp = (_vm: Vm, codepage: number): void => setCodepage(codepage);

const codepages: readonly Instruction[] = [
  instruction({ name: "SETCP", opcode: "FF00-FFEF", args: [uint(8)], run: setCp }),
  plain("FFF0", "SETCPX", (vm) => setCodepage(vm.stack.popSmall(0x7fff, -0x8000))),
  instruction({ name: "SETCP", opcode: "FFF1-FFFF", args: [wrapped(8, 15)], run: setCp }),
];

export const miscInstructions: readonly Instruction[] = [
  dataSize("F940", "CDATASIZE", false, true),
  dataSize("F941", "CDATASIZE", false, false),
  dataSize("F942", "SDATASIZE", true, true),
  dataSize("F943", "SDATASIZE", true, false),
  ...debug,
  ...codepages,
];
