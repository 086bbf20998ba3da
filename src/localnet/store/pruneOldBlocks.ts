import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { pruneTree } from "../../cell/merkle/merkleProof.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { TurnPause } from "../collate/BlockInput.ts";
import type { TreeStore } from "./TreeStore.ts";

/** A tree of 512 old blocks: 60 KB in a file, read within a few milliseconds. */
const treeDepth = 9;

/**
 * A state with a pruned branch in place of every full tree of old blocks, which is stored. The list of old blocks grows
 * by one entry a block for good, and only its end changes. States of shards have none. What has not come of a state of
 * which only a part is known becomes a pruned branch, too.
 */
export async function pruneOldBlocks(
  state: Cell,
  trees: TreeStore,
  pause: TurnPause,
  isPartial: boolean,
): Promise<Cell> {
  const { custom } = loadCell(ShardStateUnsplit, state);
  const root = custom?.load().history.prevBlocks.root;
  const full = new Set(root === undefined ? [] : listFull(root, isPartial));
  if (full.size === 0 && !isPartial) return state;
  for (const tree of full) await trees.put(tree, pause);
  const steps = pruneTree(state, (cell) => !full.has(cell));
  return runInTurns(steps, pause);
}

/** The full trees below a dictionary node: all that are not at its end, which still grows. */
function* listFull(root: Cell, isPartial: boolean): Generator<Cell> {
  for (let end = root; end.depth() > treeDepth && !end.isAbsent; end = end.ref(1))
    yield* listTrees(end.ref(0), isPartial);
}

function* listTrees(node: Cell, isPartial: boolean): Generator<Cell> {
  if (node.depth() > treeDepth) for (const child of node.refs()) yield* listTrees(child, isPartial);
  else if (node.depth() === treeDepth && !(isPartial && hasAbsent(node))) yield node;
}

/** Whether a tree has cells that have not come; they stay pruned branches. */
function hasAbsent(root: Cell): boolean {
  const seen = new Set([root]);
  for (const cell of seen) {
    if (cell.isAbsent) return true;
    for (const child of cell.refs()) seen.add(child);
  }
  return false;
}
