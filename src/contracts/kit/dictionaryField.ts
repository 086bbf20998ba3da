import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { BodyField } from "./declare.ts";
import { ContractError } from "./errors.ts";
import { showBits } from "./fields.ts";
import type { ShowContext } from "./ShowContext.ts";

/** The largest number of leaves read from one dictionary; real ones have at most a few hundred. */
const maxEntries = 4096;

const empty: JsonValue = { "@type": "hashmap_empty" };

/** HashmapE n X with keys of up to 48 bits. */
// hme_empty$0 = HashmapE n X; hme_root$1 root:^(Hashmap n X) = HashmapE n X;
export function dictionary<T>(keyBits: number, value: BodyField<T>): BodyField<ReadonlyMap<number, T>> {
  const tree = filledDictionary(keyBits, value);
  return {
    load: (s) => (s.loadBit() ? tree.load(sliceOf(s.loadRef())) : new Map<number, T>()),
    show: (s, showing) => {
      showing.spend(40);
      if (!s.loadBit()) return empty;
      const root = sliceOf(s.loadRef());
      const edge = tree.show(root, showing);
      root.end();
      return { "@type": "hashmap_root", root: edge };
    },
    abi: { dict: { key: `uint${keyBits}`, value: value.abi } },
  };
}

/** Hashmap n X: at least one entry, its first edge in place. */
// hm_edge#_ label:(HmLabel ~l n) {n = (~m) + l} node:(HashmapNode m X) = Hashmap n X;
export function filledDictionary<T>(keyBits: number, value: BodyField<T>): BodyField<ReadonlyMap<number, T>> {
  return {
    load: (s) => {
      const entries = new Map<number, T>();
      loadEdge(s, keyBits, 0, value, entries);
      return entries;
    },
    show: (s, showing) => showEdge(s, keyBits, value, showing),
    abi: "slice",
  };
}

function loadEdge<T>(slice: Slice, bits: number, above: number, value: BodyField<T>, entries: Map<number, T>): void {
  const [length, label] = loadLabel(slice, bits);
  const key = above * 2 ** length + label;
  const left = bits - length;
  if (left === 0) {
    if (entries.size >= maxEntries) throw new ContractError("contracts/too-large", `over ${maxEntries} entries`);
    entries.set(key, value.load(slice));
    return;
  }
  // The second half of a fork is read even when the first is hostile: the limit above bounds both.
  loadEdge(sliceOf(slice.loadRef()), left - 1, key * 2, value, entries);
  loadEdge(sliceOf(slice.loadRef()), left - 1, key * 2 + 1, value, entries);
}

// hml_short$0 len:(Unary ~n) {n <= m} s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit); hml_same$11 v:Bit n:(#<= m)
function loadLabel(slice: Slice, limit: number): [length: number, bits: number] {
  if (!slice.loadBit()) {
    const length = checked(loadUnary(slice), limit);
    return [length, slice.loadUint(length)];
  }
  if (!slice.loadBit()) {
    const length = loadLength(slice, limit);
    return [length, slice.loadUint(length)];
  }
  const ones = slice.loadBit();
  const length = loadLength(slice, limit);
  return [length, ones ? 2 ** length - 1 : 0];
}

function loadUnary(slice: Slice): number {
  let length = 0;
  while (slice.loadBit()) length++;
  return length;
}

function loadLength(slice: Slice, limit: number): number {
  return checked(slice.loadUint(32 - Math.clz32(limit)), limit);
}

function checked(length: number, limit: number): number {
  if (length > limit) throw new ContractError("contracts/tag", `an edge of ${length} bits where ${limit} are left`);
  return length;
}

function showEdge(slice: Slice, bits: number, value: BodyField<unknown>, showing: ShowContext): JsonValue {
  showing.enter();
  showing.spend(160);
  const [length, label] = showLabel(slice, bits);
  const left = bits - length;
  const node = left === 0 ? showLeaf(slice, value, showing) : showFork(slice, left - 1, value, showing);
  showing.leave();
  return { "@type": "hashmap_edge", label, node };
}

function showLeaf(slice: Slice, value: BodyField<unknown>, showing: ShowContext): JsonValue {
  return { "@type": "hashmap_node_leaf", value: value.show(slice, showing) };
}

function showFork(slice: Slice, bits: number, value: BodyField<unknown>, showing: ShowContext): JsonValue {
  const half = (cell: Cell): JsonValue => {
    const inner = sliceOf(cell);
    const edge = showEdge(inner, bits, value, showing);
    inner.end();
    return edge;
  };
  const left = half(slice.loadRef());
  return { "@type": "hashmap_node_fork", left, right: half(slice.loadRef()) };
}

function showLabel(slice: Slice, limit: number): [length: number, label: JsonValue] {
  if (!slice.loadBit()) {
    const length = checked(loadUnary(slice), limit);
    return [length, { "@type": "hashmap_label_short", len: showUnary(length), s: showBits(slice, length) }];
  }
  if (!slice.loadBit()) {
    const length = loadLength(slice, limit);
    return [length, { "@type": "hashmap_label_long", n: String(length), s: showBits(slice, length) }];
  }
  const v = slice.loadBit();
  const length = loadLength(slice, limit);
  return [length, { "@type": "hashmap_label_same", v, n: String(length) }];
}

// unary_zero$0 = Unary ~0; unary_succ$1 x:(Unary ~n) = Unary ~(n + 1);
function showUnary(length: number): JsonValue {
  let unary: JsonValue = { "@type": "unary_zero" };
  for (let i = 0; i < length; i++) unary = { "@type": "unary_succ", x: unary };
  return unary;
}
