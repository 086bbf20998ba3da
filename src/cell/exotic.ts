import { beginCell } from "./Builder.ts";
import { CellKind } from "./base/CellKind.ts";
import { CellError } from "./base/errors.ts";
import { type Cell, makeCell } from "./Cell.ts";
import type { Hash } from "./Hash.ts";
import { levelOf } from "./internal/levels.ts";

/**
 * A pruned branch in place of a cell left out of a proof: it keeps the hashes and depths of all levels below `level`,
 * which is one more than the number of Merkle cells above it.
 */
export function makePruned(cell: Cell, level: number): Cell {
  if (cell.levelMask === 0 && level === 1) return pruneWhole(cell);
  const below = cell.levelMask & ((1 << (level - 1)) - 1);
  const mask = below | (1 << (level - 1));
  if (level < 1 || level > 3 || levelOf(cell.levelMask) >= level + 1)
    throw new CellError("cell/level", `a cell of levels ${cell.levelMask} cannot be pruned at level ${level}`);
  const levels = [0, 1, 2].filter((l) => l < level && (l === 0 || (below & (1 << (l - 1))) !== 0));
  const builder = beginCell().storeUint(CellKind.pruned, 8).storeUint(mask, 8);
  for (const l of levels) builder.storeBytes(cell.hashBytes(l));
  for (const l of levels) builder.storeUint(cell.depth(l), 16);
  return builder.exoticCell(CellKind.pruned);
}

/** The common case: a cell without pruned parts, below one Merkle cell. */
function pruneWhole(cell: Cell): Cell {
  const builder = beginCell()
    .storeUint((CellKind.pruned << 8) | 1, 16)
    .storeBytes(cell.hashBytes());
  return builder.storeUint(cell.depth(), 16).exoticCell(CellKind.pruned);
}

/** A reference to a library cell by its hash. */
export function makeLibrary(hash: Hash): Cell {
  return beginCell().storeUint(CellKind.library, 8).storeHex(hash).exoticCell(CellKind.library);
}

/** The hash a library cell refers to. */
export function libraryHash(cell: Cell): Hash {
  if (cell.kind !== CellKind.library) throw new CellError("cell/exotic", "not a library cell");
  return Buffer.from(cell.bytes.subarray(cell.dataAt + 1, cell.dataAt + 33)).toString("hex") as Hash;
}

// !merkle_proof#03 virtual_hash:bits256 depth:uint16 virtual_root:^X = MERKLE_PROOF X;
export function makeProofCell(body: Cell): Cell {
  const builder = beginCell().storeUint(CellKind.merkleProof, 8);
  builder.storeBytes(body.hashBytes(0)).storeUint(body.depth(0), 16).storeRef(body);
  return builder.exoticCell(CellKind.merkleProof);
}

// !merkle_update#04 old_hash:bits256 new_hash:bits256 old_depth:uint16 new_depth:uint16 old:^X new:^X = MERKLE_UPDATE X;
export function makeUpdateCell(from: Cell, to: Cell): Cell {
  const builder = beginCell().storeUint(CellKind.merkleUpdate, 8);
  builder.storeBytes(from.hashBytes(0)).storeBytes(to.hashBytes(0));
  builder.storeUint(from.depth(0), 16).storeUint(to.depth(0), 16).storeRef(from).storeRef(to);
  return builder.exoticCell(CellKind.merkleUpdate);
}

/**
 * An exotic cell from its raw parts, checked like a cell that is read. Used where a cell is rebuilt with other
 * children.
 */
export function rebuildCell(cell: Cell, children: readonly Cell[]): Cell {
  return makeCell(cell.bytes, cell.bitLength, children, cell.kind, cell.dataAt);
}
