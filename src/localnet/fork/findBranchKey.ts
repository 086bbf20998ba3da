import type { Cell } from "../../cell/Cell.ts";
import { loadLabel, setBit } from "../../cell/label.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";

const keyBits = 256;

/** A key below the pruned branch with a hash, in a dictionary of accounts or libraries of which only a part is known. */
export function findBranchKey(root: Cell, hash: Hash): Hash | undefined {
  const waiting = [{ node: root, key: new Uint8Array(keyBits / 8), at: 0 }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { key, at } = place;
    const node = place.node.latest();
    if (node.isAbsent) {
      if (node.hash() === hash) return hashFromBytes(key);
      continue;
    }
    const slice = sliceOf(node);
    const end = at + loadLabel(slice, keyBits - at, key, at);
    if (end === keyBits) continue;
    for (const side of [false, true]) {
      const below = key.slice();
      setBit(below, end, side);
      waiting.push({ node: slice.preloadRef(side ? 1 : 0), key: below, at: end + 1 });
    }
  }
  return undefined;
}
