import type { Cell } from "../../../src/cell/Cell.ts";
import { rawSliceOf } from "../../../src/cell/Slice.ts";
import { sliceCell } from "../../../src/model/vm/VmCellSlice.ts";
import type { VmValue } from "../../../src/model/vm/VmValue.ts";

/** Bits as upper-case hex, with the completion mark `_` for an incomplete last digit. */
function bitsText(cell: Cell): string {
  const slice = rawSliceOf(cell);
  const { remainingBits: bits } = slice;
  const hex = Buffer.from(slice.loadBits(bits)).toString("hex").toUpperCase();
  if (bits % 4 === 0) return hex.slice(0, bits / 4);
  const whole = hex.slice(0, Math.ceil(bits / 4));
  const last = Number.parseInt(whole.at(-1) as string, 16) | (8 >> (bits % 4));
  return `${whole.slice(0, -1)}${last.toString(16).toUpperCase()}_`;
}

/** A readable form of a cell; from the third level on, only the number of references. */
function readableCell(cell: Cell, level = 0): unknown {
  const refs = level < 2 ? cell.refs().map((ref) => readableCell(ref, level + 1)) : cell.refCount;
  return {
    bits: bitsText(cell),
    ...(cell.refCount > 0 && { refs }),
    ...(cell.isExotic && { exotic: true }),
  };
}

const contNames: Readonly<Record<string, string>> = { quitExc: "quit_exc" };

/** A stack value in the format of the recorded machine runs. */
export function readableValue(value: VmValue): unknown {
  switch (value.kind) {
    case "null":
      return null;
    case "int":
      return value.value.toString();
    case "nan":
      return "NaN";
    case "cell":
      return { cell: readableCell(value.cell) };
    case "slice":
      return { slice: readableCell(sliceCell(value.slice)) };
    case "builder":
      return { builder: readableCell(value.cell) };
    case "cont":
      return { cont: contNames[value.cont.kind] ?? value.cont.kind };
    case "tuple":
      return value.items.map(readableValue);
  }
}
