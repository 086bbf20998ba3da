import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { applyMerkleUpdate } from "../../cell/merkle/merkleUpdate.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, formatBlockId } from "../../model/block/BlockId.ts";
import { type BlockInfo, prevBlockIds } from "../../model/block/BlockInfo.ts";
import { bothStates } from "../collate/mergeStates.ts";
import { LocalnetError } from "../errors.ts";

interface AppliedBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
}

/** Where states and blocks are found, and states kept. */
export interface StateSource<B extends AppliedBlock> {
  find(id: BlockIdExt): Cell | undefined;
  keep(block: B, state: Cell): void;
  getBlock(id: BlockIdExt): B;
  root(block: B): Steps<Cell>;
}

/** Makes the state after a block from the nearest kept ones: hundreds of blocks may have to be applied again. */
export function* rebuildState<B extends AppliedBlock>(id: BlockIdExt, source: StateSource<B>): Steps<Cell> {
  for (const block of listMissing(id, source)) {
    // Somebody else may have made it between the steps.
    if (source.find(block.id) !== undefined) continue;
    const { stateUpdate } = loadCell(Block, yield* source.root(block));
    source.keep(block, applyMerkleUpdate(yield* stateBefore(block.info, source), stateUpdate));
    yield;
  }
  const state = source.find(id);
  if (state === undefined) throw new LocalnetError("localnet/missing", `no state of ${formatBlockId(id)}`);
  return state;
}

/** The blocks after the nearest kept states up to a block, oldest first. */
function listMissing<B extends AppliedBlock>(id: BlockIdExt, { find, getBlock }: StateSource<B>): readonly B[] {
  const missing: B[] = [];
  const blockIdExts = [id];
  for (let at = blockIdExts.pop(); at !== undefined; at = blockIdExts.pop()) {
    if (find(at) !== undefined) continue;
    const block = getBlock(at);
    missing.push(block);
    blockIdExts.push(...prevBlockIds(block.info));
  }
  return missing.reverse();
}

/** The state before a block; after a merge the two states together. */
export function* stateBefore<B extends AppliedBlock>(info: BlockInfo, source: StateSource<B>): Steps<Cell> {
  const states: Cell[] = [];
  for (const id of prevBlockIds(info)) states.push(source.find(id) ?? (yield* rebuildState(id, source)));
  const [first, second] = states;
  if (first === undefined) throw new LocalnetError("localnet/block", "a block without one before it");
  return second === undefined ? first : bothStates(first, second);
}
