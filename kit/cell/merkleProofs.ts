import { CellKind } from "../../src/cell/base/CellKind.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { makeProofCell } from "../../src/cell/exotic.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { type Keeps, pruneTree } from "../../src/cell/merkle/merkleProof.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";

/** The cells present in a proof's body, by their hash in the proved tree. */
export function cellsInProof(body: Cell): Map<Hash, Cell> {
  const cells = new Map<Hash, Cell>();
  const seen = new Set<Cell>();
  const stack = [body];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (seen.has(cell) || cell.kind === CellKind.pruned) continue;
    seen.add(cell);
    cells.set(cell.hash(0), cell);
    for (const child of cell.refs()) stack.push(child);
  }
  return cells;
}

/** A Merkle proof that contains the root and the cells selected by `keeps`; prunes everything else. */
export function makeMerkleProof(root: Cell, keeps: ReadonlySet<Cell> | Keeps): Cell {
  return makeProofCell(runAtOnce(pruneTree(root, typeof keeps === "function" ? keeps : (cell) => keeps.has(cell))));
}
