import { BagError, type Cell } from "./Cell.ts";
import { Slice } from "./Slice.ts";

/** Forks may share a half, so that a few cells have any number of entries. */
const maxEntries = 10_000;

/** The entries of a dictionary with keys of `keyBits` bits; each value is the slice after its key. */
// hm_edge#_ {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
export function listEntries(root: Cell, keyBits: number): [key: bigint, value: Slice][] {
  return listInline(new Slice(root), keyBits);
}

/** The entries of a dictionary whose root is the rest of a cell. */
export function listInline(slice: Slice, keyBits: number): [key: bigint, value: Slice][] {
  const found: [bigint, Slice][] = [];
  walk(slice, keyBits, 0n, found);
  return found;
}

function walk(slice: Slice, bitsLeft: number, prefix: bigint, found: [bigint, Slice][]): void {
  const [label, length] = readLabel(slice, bitsLeft);
  const key = (prefix << BigInt(length)) + label;
  const rest = bitsLeft - length;
  if (rest === 0) {
    if (found.length >= maxEntries) throw new BagError(`a dictionary of more than ${maxEntries} entries`);
    found.push([key, slice]);
    return;
  }
  walk(new Slice(slice.ref()), rest - 1, key << 1n, found);
  walk(new Slice(slice.ref()), rest - 1, (key << 1n) + 1n, found);
}

// hml_short$0 … hml_long$10 … hml_same$11
function readLabel(slice: Slice, max: number): [label: bigint, length: number] {
  if (slice.bit() === 0) {
    let length = 0;
    while (slice.bit() === 1) length++;
    return [slice.uint(length), length];
  }
  const lengthBits = 32 - Math.clz32(max);
  if (slice.bit() === 0) {
    const length = Number(slice.uint(lengthBits));
    return [slice.uint(length), length];
  }
  const bit = slice.bit();
  const length = Number(slice.uint(lengthBits));
  return [bit === 1 ? (1n << BigInt(length)) - 1n : 0n, length];
}
