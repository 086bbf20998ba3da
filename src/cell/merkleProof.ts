import type { Cell } from "./Cell.ts";
import { CellKind } from "./CellKind.ts";
import { CellError } from "./errors.ts";
import { makeProofCell, makePruned, rebuildCell } from "./exotic.ts";
import type { Hash } from "./Hash.ts";

/** What a proof keeps: given a cell of the tree, whether its content is part of the proof. */
export type Keeps = (cell: Cell) => boolean;

/** A Merkle proof that contains the cells `keeps` says yes to and hashes of everything else. The root is always kept. */
export function makeMerkleProof(root: Cell, keeps: ReadonlySet<Cell> | Keeps): Cell {
  return makeProofCell(pruneTree(root, typeof keeps === "function" ? keeps : (cell) => keeps.has(cell)));
}

/** The body of a proof without the proof cell around it. */
export function pruneTree(root: Cell, keeps: Keeps): Cell {
  const done = [new Map<Cell, Cell>(), new Map<Cell, Cell>(), new Map<Cell, Cell>(), new Map<Cell, Cell>()];
  /** `merkles`: Merkle cells between the proof and this cell. Recursion is as deep as the tree, 1024 at most. */
  const prune = (cell: Cell, merkles: number, isRoot: boolean): Cell => {
    const memo = done[merkles] as Map<Cell, Cell>;
    const known = memo.get(cell);
    if (known !== undefined) return known;
    const made = isRoot || keeps(cell) ? keep(cell, merkles) : cutOff(cell, merkles);
    memo.set(cell, made);
    return made;
  };
  const keep = (cell: Cell, merkles: number): Cell => {
    if (cell.refCount === 0) return cell;
    const below = cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
    return rebuildCell(
      cell,
      cell.refs().map((child) => prune(child, below, false)),
    );
  };
  // A cell without references is no larger than the hash that would stand for it, or is pruned already.
  const cutOff = (cell: Cell, merkles: number): Cell => (cell.refCount === 0 ? cell : makePruned(cell, merkles + 1));
  return prune(root, 0, true);
}

/**
 * Opens a Merkle proof: checks it and gives its body, in which hashes of level 0 are those of the proved tree. With
 * `expected` the proof must be about a tree with that hash.
 */
export function openMerkleProof(proof: Cell, expected?: Hash): Cell {
  if (proof.kind !== CellKind.merkleProof)
    throw new CellError("cell/proof", "a Merkle proof is expected and this is another cell");
  // Hashing compares the named hash and depth with those of the body, or throws.
  proof.hashBytes();
  const body = proof.ref(0);
  if (expected !== undefined && body.hash(0) !== expected)
    throw new CellError("cell/proof", `a proof about ${body.hash(0)} where ${expected} is asked about`);
  return body;
}

/** Collects the cells of a proof's body that are really there, by their hash in the proved tree. */
export function cellsInProof(body: Cell): Map<Hash, Cell> {
  const found = new Map<Hash, Cell>();
  const seen = new Set<Cell>();
  const stack = [body];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (seen.has(cell) || cell.kind === CellKind.pruned) continue;
    seen.add(cell);
    found.set(cell.hash(0), cell);
    for (const child of cell.refs()) stack.push(child);
  }
  return found;
}
