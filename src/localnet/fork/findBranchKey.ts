import type { Cell } from "../../cell/Cell.ts";
import { loadLabel, setBit } from "../../cell/label.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";

const keyBits = 256;

/** An end of the known part of a dictionary: a value, or a branch that is pruned. */
interface KnownEnd {
  readonly node: Cell;
  /** The key of the value, or one below the branch. */
  readonly key: Hash;
}

/**
 * A key below the pruned branch with a hash, in a dictionary of accounts or libraries of which only a part is known.
 */
export function findBranchKey(root: Cell, hash: Hash): Hash | undefined {
  for (const { node, key } of walkKnown(root)) if (node.isAbsent && node.hash() === hash) return key;
  return undefined;
}

/** The keys of all values that are known. */
export function* listKeys(root: Cell): Generator<Hash> {
  for (const { node, key } of walkKnown(root)) if (!node.isAbsent) yield key;
}

function* walkKnown(root: Cell): Generator<KnownEnd> {
  const waiting = [{ node: root, key: new Uint8Array(keyBits / 8), at: 0 }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { key, at } = place;
    const node = place.node.latest();
    if (node.isAbsent) {
      yield { node, key: hashFromBytes(key) };
      continue;
    }
    const slice = sliceOf(node);
    const end = at + loadLabel(slice, keyBits - at, key, at);
    if (end === keyBits) {
      yield { node, key: hashFromBytes(key) };
      continue;
    }
    for (const side of [true, false]) {
      const below = key.slice();
      setBit(below, end, side);
      waiting.push({ node: slice.preloadRef(side ? 1 : 0), key: below, at: end + 1 });
    }
  }
}
