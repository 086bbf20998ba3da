import type { Cell } from "../../cell/Cell.ts";
import type { StorageUsed } from "../../model/phases.ts";

/** Distinct cells and their bits, the base of storage fees. */
export function storageUsed(root: Cell): StorageUsed {
  const seen = new Set<string>();
  const stack = [root];
  let bits = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const hash = next.hash();
    if (seen.has(hash)) continue;
    seen.add(hash);
    bits += next.bitLength;
    stack.push(...next.refs());
  }
  return { cells: seen.size, bits };
}
