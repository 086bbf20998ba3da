import { CellError } from "../base/errors.ts";

interface HashedCell {
  hashBytes(level: number): Uint8Array;
  depth(level: number): number;
}

/** Compares the hashes and depths that a Merkle proof or update names with those of its content, at level 0. */
export function checkMerkleHashes(
  data: Uint8Array,
  from: number,
  first: HashedCell,
  second: HashedCell | undefined,
): void {
  const held = second === undefined ? [first] : [first, second];
  for (let i = 0; i < held.length; i++) {
    const cell = held[i] as HashedCell;
    const hash = cell.hashBytes(0);
    const hashAt = from + 1 + i * 32;
    const depthAt = from + 1 + held.length * 32 + i * 2;
    const depth = ((data[depthAt] as number) << 8) | (data[depthAt + 1] as number);
    let same = depth === cell.depth(0);
    for (let j = 0; same && j < 32; j++) same = data[hashAt + j] === hash[j];
    if (!same) throw new CellError("cell/proof", "a Merkle cell does not hold what it names", { data: { part: i } });
  }
}
