import fc from "fast-check";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeLibrary, makePruned, rebuildCell } from "../../../src/cell/exotic.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { rawSliceOf } from "../../../src/cell/Slice.ts";

/** A mutation of one cell, found by following these references from the root. */
export interface CellMutation {
  readonly path: readonly number[];
  readonly how: "flip" | "cut" | "add" | "dropRef" | "twice" | "prune" | "library" | "empty";
  readonly at: number;
}

export const anyMutation: fc.Arbitrary<CellMutation> = fc.record({
  path: fc.array(fc.nat({ max: 3 }), { maxLength: 6 }),
  how: fc.constantFrom("flip", "cut", "add", "dropRef", "twice", "prune", "library", "empty"),
  at: fc.nat({ max: 1022 }),
});

/** Mutates the root or one of its descendants. */
export function mutateCell(cell: Cell, mutation: CellMutation): Cell {
  const [step, ...path] = mutation.path;
  if (step === undefined || cell.refCount === 0) return mutateAlone(cell, mutation);
  const refs = cell.refs();
  const index = step % cell.refCount;
  refs[index] = mutateCell(refs[index] as Cell, { ...mutation, path });
  return cell.isExotic ? cell : rebuildCell(cell, refs);
}

function mutateAlone(cell: Cell, { how, at }: CellMutation): Cell {
  if (how === "prune") return makePruned(cell, 1);
  if (how === "library") return makeLibrary("ab".repeat(32) as Hash);
  if (how === "empty") return emptyCell;
  const builder = beginCell();
  const slice = rawSliceOf(cell);
  const bits = slice.remainingBits;
  const data = slice.loadBits(bits);
  const where = bits === 0 ? 0 : at % bits;
  if (how === "flip" && bits > 0) data[where >> 3] = (data[where >> 3] as number) ^ (0x80 >> (where & 7));
  builder.storeBits(data, how === "cut" ? where : bits);
  if (how === "add" && builder.remainingBits > 0) builder.storeBit(at % 2 === 0);
  const refs = cell.refs();
  if (how === "dropRef") refs.pop();
  if (how === "twice" && refs.length > 1) refs[0] = refs[refs.length - 1] as Cell;
  for (const ref of refs) builder.storeRef(ref);
  return builder.cell();
}
