import type { Steps } from "../../lib/sharing/steps.ts";
import { CellKind } from "../base/CellKind.ts";
import { CellError } from "../base/errors.ts";
import type { Cell } from "../Cell.ts";
import { makePruned, rebuildCell } from "../exotic.ts";
import type { Hash } from "../Hash.ts";
import { checkMerkleHashes } from "../internal/merkleHashes.ts";
import { rebuildTreeInSteps } from "./rebuildTree.ts";

/** Whether a proof keeps the content of a cell that is below `merkles` Merkle cells of the tree. */
export type Keeps = (cell: Cell, merkles: number) => boolean;

/** The highest level is 3: below three Merkle cells of the tree itself no level is left for a pruned branch. */
const deepestPruned = 2;

/** Makes the pruned branch in place of a cell. */
export type Prune = (cell: Cell, level: number) => Cell;

/** The body of a proof without the proof cell around it. */
export function* pruneTree(root: Cell, keeps: Keeps, prune: Prune = makePruned): Steps<Cell> {
  const replace = (cell: Cell, merkles: number): Cell | undefined => {
    const { isAbsent } = cell;
    // A cell without references is not larger than a pruned branch, or is already one.
    if ((cell.refCount === 0 && !isAbsent) || merkles > deepestPruned) return cell;
    return cell === root || (keeps(cell, merkles) && !isAbsent) ? undefined : prune(cell, merkles + 1);
  };
  return yield* rebuildTreeInSteps(root, replace, (cell, children) => rebuildCell(cell, children).takeLowestHash(cell));
}

/**
 * Checks a Merkle proof and returns its body, in which hashes of level 0 are those of the proved tree. With `expected`
 * the proof must be about the tree with that hash.
 */
export function openMerkleProof(proof: Cell, expected?: Hash): Cell {
  if (proof.kind !== CellKind.merkleProof)
    throw new CellError("cell/proof", "a Merkle proof is expected and this is another cell");
  const body = proof.ref(0);
  // The proof's own hash would need further hashes of the body.
  checkMerkleHashes(proof.bytes, proof.dataAt, body, undefined);
  if (expected !== undefined && body.hash(0) !== expected)
    throw new CellError("cell/proof", `a proof about ${body.hash(0)} where ${expected} is asked about`);
  return body;
}
