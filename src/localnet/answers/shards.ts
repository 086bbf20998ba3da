import { beginCell } from "../../cell/Builder.ts";
import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getAllShardsInfo, getShardBlockProof, getShardInfo } from "../../lite/tl/liteQueries.ts";
import { Block } from "../../model/block/Block.ts";
import {
  type BlockIdExt,
  masterchain,
  type ShardId,
  sameBlock,
  shardChildren,
  shardIsAncestor,
  shardPrefixLength,
  shardsIntersect,
  wholeShard,
} from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import { ShardDescription, type ShardHashes, shardTopId } from "../../model/block/ShardHashes.ts";
import { LocalnetError } from "../errors.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { readState, readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { getCommitted, invalidWorkchain, loadMasterBlock, noBlock } from "./kit/blockAccess.ts";
import { linkedHeaderProof } from "./kit/headers.ts";
import { masterExtra, refsByNumber } from "./kit/masterState.ts";
import { badQuery, notReady } from "./kit/refusal.ts";

/** A shard top and the cell that describes it. */
export interface FoundShard {
  readonly id: BlockIdExt;
  readonly leaf: Cell;
}

/** Walks down to the shard that covers the requested one; with `exact` only that one. */
function findTop(hashes: ShardHashes, { workchain, shard, exact }: ShardQuery): FoundShard | undefined {
  if (workchain === masterchain || workchain === invalidWorkchain) return undefined;
  const wanted = shard === 0n ? wholeShard : shard;
  let node = refsByNumber(hashes.root).find(workchain);
  let at = wholeShard;
  while (node !== undefined) {
    const slice = sliceOf(node);
    if (!slice.loadBit()) {
      if (exact && at !== wanted) return undefined;
      const description = ShardDescription.load(slice);
      return { id: shardTopId({ workchain, shard: at, description }), leaf: node };
    }
    if (shardPrefixLength(at) >= shardPrefixLength(wanted)) return undefined;
    const [left, right] = shardChildren(at);
    const isRight = shardIsAncestor(right, wanted);
    at = isRight ? right : left;
    node = slice.preloadRef(isRight ? 1 : 0);
  }
  return undefined;
}

export interface ShardQuery {
  readonly workchain: number;
  readonly shard: ShardId;
  readonly exact: boolean;
}

/** Proves, from the state after a masterchain block, which shard top covers a shard, or that none does. */
export async function proveShardTop(
  context: AnswerContext,
  master: LedgerBlock,
  asked: ShardQuery,
): Promise<{ readonly found: FoundShard | undefined; readonly proof: Uint8Array }> {
  const { shardHashes } = masterExtra(await context.state(master));
  const top = findTop(shardHashes, asked);
  const make = (): Promise<Uint8Array> => makeTopProof(context, master, asked);
  // The path to a top is the same for every shard it covers.
  return { found: top, proof: await (top === undefined ? make() : context.proofs.top(master, top.id, make)) };
}

async function makeTopProof(
  { state, proofs }: AnswerContext,
  master: LedgerBlock,
  asked: ShardQuery,
): Promise<Uint8Array> {
  const reading = readState(await state(master));
  findTop(masterExtra(reading.root).shardHashes, asked);
  return writeBoc([await proofs.header(master), reading.proof()]);
}

/** The part of a masterchain block that lists the shards. */
function openBlockExtra(root: Cell): McBlockExtra {
  const { custom } = loadCell(Block, root).extra.load();
  if (custom === undefined) throw new LocalnetError("localnet/block", "a masterchain block without McBlockExtra");
  return loadCell(McBlockExtra, custom.cell);
}

interface Link {
  readonly id: TlBlockId;
  readonly proof: Uint8Array;
}

/** A masterchain block never commits more shard blocks at once. */
const longestChain = 8;

/**
 * Links from the masterchain block that commits a shard block down to it, over the shard top and the blocks after it.
 */
export async function linkToShardBlock(
  context: AnswerContext,
  master: LedgerBlock,
  target: LedgerBlock,
): Promise<Link[]> {
  const reading = readWhole(await context.root(master));
  const { shardHashes } = openBlockExtra(reading.root);
  const top = findTop(shardHashes, { workchain: target.id.workchain, shard: target.id.shard | 1n, exact: false });
  if (top === undefined) throw badQuery("shard not found");
  const links: Link[] = [{ id: blockIdToTl(top.id), proof: writeBoc(reading.proof()) }];
  for (let at = top.id; !sameBlock(at, target.id); ) {
    if (links.length === longestChain) throw badQuery("proof chain is too long");
    const block = context.ledger.getBlock(at);
    const header = await linkedHeaderProof(context, block);
    const next = prevBlockIds(block.info).find(({ shard }) => shardsIntersect(shard, target.id.shard));
    if (next === undefined) throw badQuery("failed to find block chain");
    links.push({ id: blockIdToTl(next), proof: writeBoc(header) });
    at = next;
  }
  return links;
}

async function answerAllShards({ ledger, root }: AnswerContext, { id }: { readonly id: TlBlockId }) {
  const block = loadMasterBlock(ledger, blockIdFromTl(id));
  const whole = await root(block);
  const reading = readWhole(whole);
  openBlockExtra(reading.root);
  const { shardHashes } = openBlockExtra(whole);
  return {
    id,
    proof: writeBoc(reading.proof()),
    data: writeBoc(beginCell().storeMaybeRef(shardHashes.root).cell()),
  };
}

async function answerShardProof(context: AnswerContext, { id }: { readonly id: TlBlockId }) {
  const { ledger } = context;
  const blockIdExt = blockIdFromTl(id);
  if (blockIdExt.workchain === invalidWorkchain || blockIdExt.shard === 0n) throw badQuery("invalid block id");
  if (blockIdExt.workchain === masterchain) return { masterchainId: id, links: [] };
  const block = getCommitted(ledger, blockIdExt);
  if (block.masterSeqno === 0) throw notReady("block is not applied");
  const master = ledger.getMaster(block.masterSeqno);
  return { masterchainId: blockIdToTl(master.id), links: await linkToShardBlock(context, master, block) };
}

export const shardAnswers: readonly QueryHandler[] = [
  queryHandler(getAllShardsInfo, answerAllShards),
  queryHandler(getShardInfo, async (context, { id, workchain, shard, exact }) => {
    if (workchain === invalidWorkchain) throw badQuery("requested shard is invalid");
    const master = loadMasterBlock(context.ledger, blockIdFromTl(id));
    const asked = { workchain, shard: BigInt.asUintN(64, shard), exact };
    const { found, proof } = await proveShardTop(context, master, asked);
    const top = found === undefined ? noBlock : blockIdToTl(found.id);
    return { id, shardblk: top, shardProof: proof, shardDescr: found === undefined ? noBytes : writeBoc(found.leaf) };
  }),
  queryHandler(getShardBlockProof, answerShardProof),
];

const noBytes = new Uint8Array();
