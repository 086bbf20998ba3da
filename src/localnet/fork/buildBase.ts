import { createHash } from "node:crypto";
import { readRoot } from "../../cell/boc.ts";
import { loadCell } from "../../cell/codec.ts";
import { openMerkleUpdate } from "../../cell/merkle/merkleUpdate.ts";
import { PrunedTree } from "../../cell/merkle/PrunedTree.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, formatBlockId, masterBlockId } from "../../model/block/BlockId.ts";
import { listShardTops } from "../../model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { BaseBlock, ForkBase, SeenMaster } from "../ledger/ForkBase.ts";
import type { ForkFacts } from "./ForkFacts.ts";
import type { ForkRecord } from "./forkRecords.ts";

/** What a fork continues, with the trees of its states. */
export interface BuiltBase {
  readonly facts: ForkFacts;
  readonly base: ForkBase;
  readonly tree: PrunedTree;
}

/**
 * The beginning of a fork from its records. The ids of the blocks are trusted; everything else follows from them: bytes
 * by their hashes, states by the updates of the blocks, all other cells by the states.
 */
export function buildBase(records: readonly ForkRecord[]): BuiltBase {
  const facts = records.find((record) => record.kind === "facts")?.facts;
  if (facts === undefined)
    throw new LocalnetError("localnet/data", "the file of the fork does not say what it continues");
  const tree = new PrunedTree();
  const byHash = new Map<string, Uint8Array>();
  for (const record of records) if (record.kind === "block") byHash.set(fileHashOf(record.bytes), record.bytes);
  const open = (id: BlockIdExt): BaseBlock => openBlock(id, byHash.get(id.fileHash), tree);
  const { zeroState, globalId } = facts;
  const [master, shards] = [open(facts.master), facts.shards.map(open)];
  for (const record of records) if ("cells" in record) for (const cell of record.cells) tree.add(cell);
  const seen = facts.seen && new Map(facts.seen.map((id) => [id.seqno, readSeen(id, byHash.get(id.fileHash))]));
  return { facts, base: { zeroState, globalId, master, shards, older: listOlder(master), seen }, tree };
}

function readSeen(id: BlockIdExt, bytes: Uint8Array | undefined): SeenMaster {
  const block = loadCell(Block, openRoot(id, bytes).root);
  const shardHashes = block.extra.load().custom?.load().shardHashes;
  return { endLt: block.info.load().endLt, tops: shardHashes === undefined ? [] : listShardTops(shardHashes) };
}

/** Code finds the ids of this many blocks, and of as many with a seqno of whole hundreds. */
const foundBlocks = 16;

/** The blocks before one that code may ask for. */
function listOlder({ id: { seqno }, state }: BaseBlock): readonly BlockIdExt[] {
  const history = loadCell(ShardStateUnsplit, state).custom?.load().history;
  if (history === undefined) throw new LocalnetError("localnet/data", "the block of the fork has no masterchain state");
  const { prevBlocks, lastKeyBlock } = history;
  const steps = Array.from({ length: foundBlocks }, (_, i) => i);
  const hundred = Math.floor(seqno / 100);
  const seqnos = new Set([...steps.map((i) => seqno - i), ...steps.map((i) => (hundred - i) * 100)]);
  const older = [...seqnos].filter((each) => each > 0 && each < seqno).map((each) => prevBlocks.get(each).block);
  return [...older, ...(lastKeyBlock === undefined ? [] : [lastKeyBlock])].map(masterBlockId);
}

function fileHashOf(bytes: Uint8Array): string {
  return hashFromBytes(createHash("sha256").update(bytes).digest());
}

function openRoot(id: BlockIdExt, bytes: Uint8Array | undefined) {
  if (bytes === undefined)
    throw new LocalnetError("localnet/data", `the file of the fork lacks block ${formatBlockId(id)}`);
  const root = readRoot(bytes);
  if (root.hash() !== id.rootHash)
    throw new LocalnetError("localnet/data", `the file of the fork has another block ${formatBlockId(id)}`);
  return { root, bytes };
}

function openBlock(id: BlockIdExt, found: Uint8Array | undefined, tree: PrunedTree): BaseBlock {
  const { root, bytes } = openRoot(id, found);
  const block = loadCell(Block, root);
  const state = tree.addRoot(openMerkleUpdate(block.stateUpdate).to);
  // The update shows only the shards that changed; the block has them all.
  const shardHashes = block.extra.load().custom?.load().shardHashes.root;
  if (shardHashes !== undefined) tree.add(shardHashes);
  // The totals of a block are in the blocks after it, too.
  const { extra } = block.valueFlow.load().passed.toNextBlock;
  if (extra.root !== undefined) tree.add(extra.root);
  return { id, bytes, state };
}
