import { type Cell, checkMerkleHashes } from "./Cell.ts";
import { CellKind } from "./CellKind.ts";
import { CellError } from "./errors.ts";
import { makePruned, rebuildCell } from "./exotic.ts";
import type { Hash } from "./Hash.ts";
import { rebuildTree } from "./internal/rebuildTree.ts";

/** What a proof keeps: whether the content of a cell, below so many Merkle cells of the tree, is part of the proof. */
export type Keeps = (cell: Cell, merkles: number) => boolean;

/** Levels end at 3: below three Merkle cells of the tree itself there is none left for a pruned branch. */
const deepestPruned = 2;

/** The body of a proof without the proof cell around it. */
export function pruneTree(root: Cell, keeps: Keeps): Cell {
  const replace = (cell: Cell, merkles: number): Cell | undefined => {
    // A cell without references is no larger than the hash that would stand for it, or is pruned already.
    if (cell.refCount === 0 || merkles > deepestPruned) return cell;
    return cell === root || keeps(cell, merkles) ? undefined : makePruned(cell, merkles + 1);
  };
  return rebuildTree(root, replace, rebuildCell);
}

/**
 * Opens a Merkle proof: checks it and gives its body, in which hashes of level 0 are those of the proved tree. With
 * `expected` the proof must be about a tree with that hash.
 */
export function openMerkleProof(proof: Cell, expected?: Hash): Cell {
  if (proof.kind !== CellKind.merkleProof)
    throw new CellError("cell/proof", "a Merkle proof is expected and this is another cell");
  const body = proof.ref(0);
  // The proof's own hash would take hashes of the body that nobody asks for.
  checkMerkleHashes(proof.bytes, proof.dataAt, body, undefined);
  if (expected !== undefined && body.hash(0) !== expected)
    throw new CellError("cell/proof", `a proof about ${body.hash(0)} where ${expected} is asked about`);
  return body;
}
