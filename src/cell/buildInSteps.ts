import type { Steps } from "../lib/sharing/steps.ts";
import { commonPrefix } from "./BitReader.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import type { Codec } from "./codec.ts";
import { Dictionary, makeDictionary, makeLeaf } from "./dictionary.ts";
import type { KeyCodec } from "./keys.ts";
import { getBit } from "./label.ts";
import { buildSorted, type Leaf, makeFork } from "./tree.ts";

/** Leaves that are built and hashed, and leaves that are only looked at, in one step. */
const builtPerStep = 128;
const readPerStep = 4096;

/** A tree of leaves in any order, at least one. Its hashes are computed too: they take longer than the rest. */
export function* buildInSteps(leaves: readonly Leaf[], keyBits: number, at = 0): Steps<Cell> {
  const [first] = leaves;
  if (first === undefined) throw new CellError("cell/dictionary", "a tree without leaves");
  if (leaves.length <= builtPerStep) {
    const cell = buildSorted(sorted(leaves), keyBits, undefined, at) as Cell;
    cell.hashBytes();
    yield;
    return cell;
  }
  const end = yield* findFork(leaves, keyBits, at);
  const halves: readonly [Leaf[], Leaf[]] = [[], []];
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i] as Leaf;
    halves[getBit(leaf.key, end) ? 1 : 0].push(leaf);
    if (i % readPerStep === readPerStep - 1) yield;
  }
  const left = yield* buildInSteps(halves[0], keyBits, end + 1);
  const right = yield* buildInSteps(halves[1], keyBits, end + 1);
  const fork = makeFork(first.key, at, end, keyBits, left, right, undefined);
  fork.hashBytes();
  return fork;
}

function sorted(leaves: readonly Leaf[]): Leaf[] {
  return [...leaves].sort((a, b) => Buffer.compare(a.key, b.key));
}

/** The first bit from `at` on in which keys differ. */
function* findFork(leaves: readonly Leaf[], keyBits: number, at: number): Steps<number> {
  const { key } = leaves[0] as Leaf;
  let end = keyBits;
  for (let i = 1; i < leaves.length && end > at; i++) {
    end = at + commonPrefix(key, at, (leaves[i] as Leaf).key, at, end - at);
    if (i % readPerStep === 0) yield;
  }
  if (end === keyBits) throw new CellError("cell/dictionary-key", "a key is repeated");
  return end;
}

/** Fewer entries than this take no more than one step. */
const fewEntries = 200;

/** Like `makeDictionary`, for any number of entries: its hashes are computed too. */
export function* makeDictionaryInSteps<K, V>(
  key: KeyCodec<K>,
  value: Codec<V>,
  entries: ReadonlyMap<K, V>,
): Steps<Dictionary<K, V>> {
  if (entries.size <= fewEntries) return makeDictionary(key, value, entries);
  const leaves: Leaf[] = [];
  for (const entry of entries) if (leaves.push(makeLeaf(key, value, entry)) % leavesPerStep === 0) yield;
  return new Dictionary(yield* buildInSteps(leaves, key.bits), key, value);
}

/** Leaves that are made in one step. */
const leavesPerStep = 1000;
