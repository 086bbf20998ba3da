import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { Cell } from "../../../src/cell/Cell.ts";
import type { Codec } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { supportedGlobalVersion } from "../../../src/tvm/globalVersion.ts";
import { CellSlice, cellSlice, machineSlice } from "../../../src/tvm/machine/CellSlice.ts";
import { codesOf } from "../../../src/tvm/machine/interpreter/table.ts";
import { Continuation } from "../../../src/tvm/machine/StackValue.ts";

interface PlacedInstruction {
  readonly cell: Cell;
  readonly bit: number;
  readonly text: string;
}

const restCodec: Codec<CellSlice> = {
  load: (slice) => {
    const code = machineSlice(slice);
    slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
    return code;
  },
  store: () => undefined,
};

/** All instructions of the methods of a code, with those of code that they have or refer to. */
export function listInstructions(code: Cell): readonly PlacedInstruction[] {
  const all = new Map<string, PlacedInstruction>();
  const methods = new Dictionary(code.ref(0), intKey(19), restCodec);
  const waiting = methods.entries().map(([, slice]) => slice);
  for (let slice = waiting.pop(); slice !== undefined; slice = waiting.pop()) {
    const decoded = codesOf(supportedGlobalVersion).codeOf(slice.cell);
    let { at, ref } = slice;
    while (at < slice.end) {
      const operation = decoded.operation(at, slice.end, ref, slice.refEnd);
      if (operation.bits === 0) throw new Error("not an instruction");
      const bit = at - slice.cell.dataAt * 8;
      const text = decoded.show(operation);
      const key = `${slice.cell.hash()}:${bit}`;
      if (!all.has(key)) waiting.push(...codesIn(text, operation.data));
      all.set(key, { cell: slice.cell, bit, text });
      at += operation.bits;
      ref += operation.refs;
    }
    if (ref < slice.refEnd) waiting.push(cellSlice(slice.cell.ref(ref)));
  }
  return [...all.values()];
}

function codesIn(text: string, data: unknown): readonly CellSlice[] {
  if (data instanceof Continuation) return data.step instanceof CellSlice ? [data.step] : [];
  if (!/^(?:CALLREF|PUSHREFCONT|IF\w*REF\w*)/.test(text)) return [];
  const cells = (Array.isArray(data) ? data : [data]).filter((each): each is Cell => each instanceof Cell);
  return cells.filter(({ kind }) => kind === CellKind.ordinary).map(cellSlice);
}
