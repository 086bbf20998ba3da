import { CellType, Cell as CoreCell } from "@ton/core";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";

const coreTypes = {
  [CellKind.ordinary]: CellType.Ordinary,
  [CellKind.pruned]: CellType.PrunedBranch,
  [CellKind.library]: CellType.Library,
  [CellKind.merkleProof]: CellType.MerkleProof,
  [CellKind.merkleUpdate]: CellType.MerkleUpdate,
};

/** The properties of a cell in a form that both libraries can produce. */
export function describeCell(cell: Cell): unknown {
  const at = [0, 1, 2, 3].map((level) => [cell.hash(level), cell.depth(level)]);
  return { bits: cell.bitLength, refs: cell.refCount, type: coreTypes[cell.kind], mask: cell.levelMask, at };
}

export function describeCoreCell(cell: CoreCell): unknown {
  const at = [0, 1, 2, 3].map((level) => [cell.hash(level).toString("hex"), cell.depth(level)]);
  return { bits: cell.bits.length, refs: cell.refs.length, type: cell.type, mask: cell.mask.value, at };
}

export function readCore(bytes: Uint8Array): CoreCell[] {
  return CoreCell.fromBoc(Buffer.from(bytes));
}

/** All distinct pairs of corresponding cells of both trees. */
export function pairCells(ours: readonly Cell[], theirs: readonly CoreCell[]): (readonly [Cell, CoreCell])[] {
  const pairs = new Map<Cell, CoreCell>(ours.map((cell, i) => [cell, theirs[i] as CoreCell]));
  for (const [cell, core] of pairs) {
    cell.refs().forEach((child, i) => {
      if (!pairs.has(child)) pairs.set(child, core.refs[i] as CoreCell);
    });
  }
  return [...pairs];
}
