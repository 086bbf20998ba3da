import { CellKind } from "../../cell/base/CellKind.ts";
import type { Cell } from "../../cell/Cell.ts";
import { makeProofCell, makePruned, rebuildCell } from "../../cell/exotic.ts";
import type { Hash } from "../../cell/Hash.ts";
import { rawSliceOf } from "../../cell/Slice.ts";
import { watchVisits } from "../../cell/visits.ts";

/**
 * A tree whose reading is recorded for a proof. Read through `root`; `proof` keeps the cells opened so far, and all
 * cells of equal content, like a node's proofs.
 */
export interface ProofReader {
  readonly root: Cell;
  proof(): Cell;
}

/** Reads cells that a node has completely in memory, such as a block: cells without references are always kept. */
export function readWhole(root: Cell): ProofReader {
  return read(root, () => true);
}

const storedTogether = 2;

/**
 * Reads a state. A node stores states in a database, cell by cell: a cell that was not fetched is left out, however
 * small. Only a cell of depth 2 is stored with everything below it, and so fetched with it.
 */
export function readState(root: Cell): ProofReader {
  return read(root, (cell) => cell.depth() === storedTogether);
}

/** Reads a state for its accounts: a node has fetched the small ones before, whatever for, and leaves them in. */
export function readAccounts(root: Cell): ProofReader {
  return read(root, (cell) => cell.depth() <= storedTogether);
}

/** Whether all that is below an opened cell is at hand with it. */
type HoldsAll = (cell: Cell) => boolean;

function read(root: Cell, holdsAll: HoldsAll): ProofReader {
  const visits = watchVisits(root);
  const proof = (): Cell => {
    const opened = new Set<Hash>();
    for (const cell of visits.opened) opened.add(cell.hash());
    return makeProofCell(prune(root, opened, holdsAll));
  };
  return { root: visits.root, proof };
}

/** Levels end at 3: below three Merkle cells of the tree itself there is none left for a pruned branch. */
const deepestPruned = 2;

function prune(root: Cell, opened: ReadonlySet<Hash>, holdsAll: HoldsAll): Cell {
  // By hash, as a node does it: equal cells are kept or left out together, as the first of them is.
  const done: Map<Hash, Cell>[] = [];
  // Recursion is as deep as the opened cells, which their reader has bounded.
  const made = (cell: Cell, loaded: boolean, merkles: number): Cell => {
    done[merkles] ??= new Map();
    const hash = cell.hash();
    const known = done[merkles].get(hash);
    if (known !== undefined) return known;
    const result = cell === root || opened.has(hash) ? rebuilt(cell, loaded, merkles) : left(cell, loaded, merkles);
    done[merkles].set(hash, result);
    return result;
  };
  const rebuilt = (cell: Cell, loaded: boolean, merkles: number): Cell => {
    if (cell.isAbsent) return makePruned(cell, merkles + 1);
    if (cell.refCount === 0) return cell;
    const below = cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
    const isTogether = loaded || holdsAll(cell);
    return rebuildCell(
      cell,
      cell.refs().map((child) => made(child, isTogether, below)),
    );
  };
  return made(root, false, 0);
}

/** The replacement of a cell that was not opened. */
function left(cell: Cell, isLoaded: boolean, merkles: number): Cell {
  if (cell.isAbsent) return makePruned(cell, merkles + 1);
  if (cell.kind === CellKind.pruned || merkles > deepestPruned) return cell;
  return isLoaded && cell.refCount === 0 ? cell : makePruned(cell, merkles + 1);
}

/** Opens one cell, whatever it holds, so that it becomes part of the proof. */
export function openCell(cell: Cell): void {
  rawSliceOf(cell);
}

/** Opens a cell and everything below it. */
export function openAll(cell: Cell | undefined): void {
  const cells = new Set<Cell>();
  const stack = cell === undefined ? [] : [cell];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (cells.has(next)) continue;
    cells.add(next);
    openCell(next);
    stack.push(...next.refs());
  }
}

/** Opens the cells with these hashes that can be reached over each other from the root. */
export function openHashes(root: Cell, hashes: ReadonlySet<Hash>): void {
  const cells = new Set<Cell>();
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (cells.has(next) || !hashes.has(next.hash())) continue;
    cells.add(next);
    openCell(next);
    stack.push(...next.refs());
  }
}
