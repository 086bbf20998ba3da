import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell, loadCell } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { intKey } from "../../cell/keys.ts";
import { sliceOf } from "../../cell/Slice.ts";
import {
  type BlockIdExt,
  formatBlockId,
  masterchain,
  type ShardId,
  sameBlock,
  shardChildren,
  shardIsAncestor,
  wholeShard,
} from "../../model/block/BlockId.ts";
import { BlockInfo, prevBlockIds } from "../../model/block/BlockInfo.ts";
import { BlockExtraOutline, type BlockOutline, type StateOutline } from "../../model/block/outlines.ts";
import {
  listShardTops,
  ShardDescription,
  type ShardHashes,
  type ShardTop,
  shardTopId,
} from "../../model/block/ShardHashes.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getAllShardsInfo, getShardBlockProof } from "../tl/liteQueries.ts";
import type { allShardsInfo, shardBlockLink, shardBlockProof } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdFromTl, blockIdToTl } from "./ids.ts";
import {
  expectBlock,
  openBlock,
  openBlockBody,
  openState,
  proofError,
  proofPair,
  proofRoot,
  proven,
} from "./proven.ts";

/** The shard list of a masterchain state as far as a proof shows it. */
export function shardHashesOf(state: StateOutline): ShardHashes {
  if (state.custom === undefined) throw proofError("a masterchain state without McStateExtra");
  // Reads only the first field: a proof leaves out the rest.
  const slice = sliceOf(state.custom);
  if (slice.loadUint(16) !== 0xcc26) throw proofError("a masterchain state with an unknown McStateExtra");
  return new Dictionary(slice.loadMaybeRef(), intKey(32), cell);
}

/** Finds the shard that covers another one, without reading the rest of the tree. */
export function findShard(hashes: ShardHashes, workchain: number, shard: ShardId): ShardTop | undefined {
  const tree = hashes.find(workchain);
  if (tree === undefined) return undefined;
  let at = wholeShard;
  let node: Cell = tree;
  for (;;) {
    const slice = sliceOf(node);
    if (!slice.loadBit()) {
      const description = ShardDescription.load(slice);
      slice.end();
      return { workchain, shard: at, description };
    }
    if (at === shard) return undefined;
    const [left, right] = shardChildren(at);
    const goRight = shardIsAncestor(right, shard);
    at = goRight ? right : left;
    node = slice.preloadRef(goRight ? 1 : 0);
  }
}

/**
 * Checks that a shard block is a top that a masterchain block commits to. If both are the same block, there is nothing
 * to prove.
 */
export function checkShardProof(reference: BlockIdExt, shardBlock: BlockIdExt, bytes: Uint8Array): void {
  if (sameBlock(reference, shardBlock)) {
    if (bytes.length !== 0) throw proofError("a shard proof where none is needed");
    return;
  }
  const top = findShard(openShardHashes(reference, bytes), shardBlock.workchain, shardBlock.shard);
  if (top === undefined || !sameBlock(shardTopId(top), shardBlock))
    throw proofError(`${formatBlockId(shardBlock)} is not a shard top of ${formatBlockId(reference)}`);
}

/** The shard list of a trusted masterchain block's state, as far as its proof shows it. */
function openShardHashes(reference: BlockIdExt, bytes: Uint8Array): ShardHashes {
  if (reference.workchain !== masterchain) throw proofError("shards proved by something other than the masterchain");
  const [blockProof, stateProof] = proofPair(bytes);
  return shardHashesOf(openState(stateProof, openBlock(blockProof, reference)));
}

/** The workchain that servers return in place of a shard block when there is no such shard. */
export const noWorkchain = -(2 ** 31);

/** Checks that a masterchain block commits to no shard of a workchain. */
export function checkNoWorkchain(reference: BlockIdExt, workchain: number, bytes: Uint8Array): void {
  if (workchain === masterchain || openShardHashes(reference, bytes).has(workchain))
    throw proofError(`workchain ${workchain} exists, but the answer denies it`);
}

/** The shard list in a masterchain block, as far as a proof shows it. */
function shardHashesOfBlock(block: BlockOutline): ShardHashes {
  const { custom } = loadCell(BlockExtraOutline, block.extra);
  if (custom === undefined) throw proofError("a masterchain block without McBlockExtra");
  // Reads only up to the first dictionary: a proof leaves out the rest.
  const slice = sliceOf(custom);
  if (slice.loadUint(16) !== 0xcca5) throw proofError("a masterchain block with an unknown McBlockExtra");
  slice.skip(1);
  return new Dictionary(slice.loadMaybeRef(), intKey(32), cell);
}

export function checkAllShards(block: BlockIdExt, answer: TlValue<typeof allShardsInfo>): ShardTop[] {
  return proven("shards", () => {
    expectBlock(answer.id, block);
    const proved = shardHashesOfBlock(openBlockBody(proofRoot(answer.proof), block));
    const slice = sliceOf(readRoot(answer.data));
    const hashes: ShardHashes = new Dictionary(slice.loadMaybeRef(), intKey(32), cell);
    slice.end();
    if (hashes.root?.hash() !== proved.root?.hash(0)) throw proofError("the shard list does not match its proof");
    return listShardTops(hashes);
  });
}

/** All shard tops that a masterchain block commits to. */
export async function fetchAllShards(
  server: LiteServer,
  block: BlockIdExt,
  options: TypedAskOptions,
): Promise<ShardTop[]> {
  return askProven(
    server,
    getAllShardsInfo,
    { id: blockIdToTl(block) },
    (answer) => checkAllShards(block, answer),
    options,
  );
}

/** A shard block linked to the masterchain block that commits it; each link proves the next. */
export interface ShardBlockProof {
  readonly masterBlock: BlockIdExt;
  readonly links: readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[];
}

/** Follows links from a trusted masterchain block over a shard top down to a shard block. */
export function checkShardLinks(
  master: BlockIdExt,
  links: readonly TlValue<typeof shardBlockLink>[],
  target: BlockIdExt,
): void {
  if (master.workchain !== masterchain) throw proofError("a proof that does not begin in the masterchain");
  let known = master;
  for (const link of links) {
    const id = blockIdFromTl(link.id);
    if (!leadsTo(proofRoot(link.proof), known, id))
      throw proofError(`${formatBlockId(known)} does not lead to ${formatBlockId(id)}`);
    known = id;
  }
  if (!sameBlock(known, target)) throw proofError(`the links do not end at ${formatBlockId(target)}`);
}

/** Whether a block has another as a shard top, or as its predecessor. */
function leadsTo(proof: Cell, from: BlockIdExt, to: BlockIdExt): boolean {
  if (from.workchain !== masterchain)
    return prevBlockIds(loadCell(BlockInfo, openBlock(proof, from).block.info)).some((each) => sameBlock(each, to));
  const top = findShard(shardHashesOfBlock(openBlockBody(proof, from)), to.workchain, to.shard);
  return top !== undefined && sameBlock(shardTopId(top), to);
}

/** The masterchain block itself must be trusted for other reasons; everything below it is proved here. */
export function checkShardBlockProof(block: BlockIdExt, answer: TlValue<typeof shardBlockProof>): ShardBlockProof {
  return proven("shard block proof", () => {
    const masterBlock = blockIdFromTl(answer.masterchainId);
    checkShardLinks(masterBlock, answer.links, block);
    return { masterBlock, links: answer.links.map(({ id, proof }) => ({ id: blockIdFromTl(id), proof })) };
  });
}

/** Proof that a shard block is committed by a masterchain block. */
export async function fetchShardBlockProof(
  server: LiteServer,
  block: BlockIdExt,
  options: TypedAskOptions,
): Promise<ShardBlockProof> {
  return askProven(
    server,
    getShardBlockProof,
    { id: blockIdToTl(block) },
    (answer) => checkShardBlockProof(block, answer),
    options,
  );
}
