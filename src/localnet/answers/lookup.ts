import { writeBoc } from "../../cell/boc.ts";
import { blockIdFromTl, blockIdToTl } from "../../lite/queries/ids.ts";
import { lookupBlock, lookupBlockWithProof } from "../../lite/tl/liteQueries.ts";
import type { blockId } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import { type BlockIdExt, masterchain, type ShardId, sameBlock, shardIsAncestor } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import type { Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import { headerProof } from "./blocks.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { findHeadTop, getCommitted, isMasterId, lastKnown, loadMasterBlock, outOfSync } from "./kit/blockAccess.ts";
import { linkedHeaderProof, plainHeaderProof } from "./kit/headers.ts";
import { proveOldBlock } from "./kit/oldBlocks.ts";
import { badQuery, notReady, refusal, refusalCode } from "./kit/refusal.ts";
import { linkToShardBlock } from "./shards.ts";

/** The three ways to name a block of the shard that contains an account prefix. */
interface BlockLookup {
  readonly workchain: number;
  readonly prefix: bigint;
  readonly by: "seqno" | "lt" | "utime";
  readonly value: bigint;
}

interface LookupArgs {
  readonly mode: number;
  readonly id: TlValue<typeof blockId>;
  readonly lt?: bigint | undefined;
  readonly utime?: number | undefined;
}

function parseLookup({ mode, id, lt = 0n, utime = 0 }: LookupArgs): BlockLookup {
  const place = { workchain: id.workchain, prefix: BigInt.asUintN(64, id.shard) };
  switch (mode & 7) {
    case 1:
      return { ...place, by: "seqno", value: BigInt(id.seqno >>> 0) };
    case 2:
      return { ...place, by: "lt", value: BigInt.asUintN(64, lt) };
    case 4:
      return { ...place, by: "utime", value: BigInt(utime >>> 0) };
    default:
      throw badQuery("exactly one of mode.0, mode.1 and mode.2 bits must be set");
  }
}

/** The smallest shard around an account prefix. */
export function leafShard(prefix: bigint): ShardId {
  return prefix | 1n;
}

/** The first block of an account's shards that ends at or after a logical time. */
export function findByLt(ledger: Ledger, workchain: number, prefix: bigint, lt: bigint): LedgerBlock | undefined {
  return ledger.findFirst(workchain, leafShard(prefix), ({ endLt }) => endLt >= lt);
}

function findLookedUp(ledger: Ledger, { workchain, prefix, by, value }: BlockLookup): LedgerBlock | undefined {
  const shard = leafShard(prefix);
  switch (by) {
    case "seqno":
      return ledger.findBySeqno({ workchain, shard, seqno: Number(value) });
    case "lt":
      return findByLt(ledger, workchain, prefix, value);
    case "utime":
      return ledger.findFirst(workchain, shard, ({ genUtime }) => BigInt(genUtime) >= value);
  }
}

function getLookedUp(ledger: Ledger, wanted: BlockLookup): LedgerBlock {
  const block = findLookedUp(ledger, wanted);
  if (block !== undefined && block.masterSeqno !== 0) return block;
  const place = `(${wanted.workchain},${wanted.prefix.toString(16).padStart(16, "0")})`;
  const names = { seqno: "seqno", lt: "lt", utime: "ts" };
  const top = wanted.workchain === masterchain ? undefined : findHeadTop(ledger, shardOf(wanted));
  const isKnown = wanted.workchain === masterchain || top !== undefined;
  const what = isKnown ? "ltdb: block not found" : `${names[wanted.by]} not in db`;
  throw notReady(`cannot find block ${place} ${wanted.by}=${wanted.value}: ${what}${remark(ledger, wanted)}`);
}

function shardOf({ workchain, prefix }: BlockLookup): { readonly workchain: number; readonly shard: ShardId } {
  return { workchain, shard: leafShard(prefix) };
}

/** The head of the chain, as a remark when a later block was requested. */
function remark(ledger: Ledger, wanted: BlockLookup): string {
  if (wanted.workchain === masterchain) {
    const info = ledger.head?.info;
    const end = { seqno: ledger.headId.seqno, lt: info?.endLt ?? 0n, utime: info?.genUtime ?? 0 }[wanted.by];
    return wanted.value > BigInt(end) ? lastKnown(ledger) : "";
  }
  const top = findHeadTop(ledger, shardOf(wanted));
  if (top === undefined) return "";
  const { seqno, endLt, genUtime } = top.description;
  return wanted.value > BigInt({ seqno, lt: endLt, utime: genUtime }[wanted.by]) ? outOfSync(ledger) : "";
}

type ProofArgs = LookupArgs & { readonly mcBlockId: Parameters<typeof blockIdFromTl>[0] };

async function answerWithProof(context: AnswerContext, args: ProofArgs) {
  const { ledger, proofs } = context;
  const wanted = parseLookup(args);
  const reference = blockIdFromTl(args.mcBlockId);
  if (!isMasterId(reference)) throw badQuery("masterchain block id must be specified");
  const block = getLookedUp(ledger, wanted);
  if (block.masterSeqno > reference.seqno)
    throw refusal(refusalCode.plain, "specified mc block is older than block's masterchain ref");
  const header = await linkedHeaderProof(context, block);
  const before = args.mode & 6 ? blockBefore(ledger, block, wanted) : undefined;
  const prevHeader = before === undefined ? nothing : writeBoc(await plainHeaderProof(context, before));
  const master = ledger.getMaster(block.masterSeqno);
  const links = block.id.workchain === masterchain ? [] : await linkToShardBlock(context, master, block);
  const isSame = sameBlock(master.id, reference);
  const known = isSame ? undefined : loadMasterBlock(ledger, reference);
  return {
    id: blockIdToTl(block.id),
    mode: args.mode,
    mcBlockId: blockIdToTl(master.id),
    clientMcStateProof: known === undefined ? nothing : writeBoc(await proofs.header(known)),
    mcBlockProof: known === undefined ? nothing : writeBoc(await proveOldBlock(context, known, master.id)),
    shardLinks: links,
    header: writeBoc(header),
    prevHeader,
  };
}

const nothing = new Uint8Array();

function blockBefore(ledger: Ledger, block: LedgerBlock, { prefix }: BlockLookup): LedgerBlock {
  const before: readonly BlockIdExt[] = prevBlockIds(block.info);
  const blockIdExt = before.find(({ shard }) => shardIsAncestor(shard, leafShard(prefix)));
  if (blockIdExt === undefined) throw badQuery("failed to choose previous block");
  return getCommitted(ledger, blockIdExt);
}

export const lookupAnswers: readonly QueryHandler[] = [
  queryHandler(lookupBlock, async (context, args) => {
    const block = getLookedUp(context.ledger, parseLookup(args));
    const mode = args.mode >>> 4;
    return { id: blockIdToTl(block.id), mode, headerProof: await headerProof(context, block, mode) };
  }),
  queryHandler(lookupBlockWithProof, answerWithProof),
];
