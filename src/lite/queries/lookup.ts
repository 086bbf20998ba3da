import { loadCell } from "../../cell/codec.ts";
import { type BlockIdExt, formatBlockId, type ShardId, sameBlock, shardIsAncestor } from "../../model/block/BlockId.ts";
import { BlockInfo, type HeaderFields, prevBlockIds } from "../../model/block/BlockInfo.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { lookupBlock, lookupBlockWithProof } from "../tl/liteQueries.ts";
import type { blockHeader, lookupBlockResult } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import type { HeaderAt } from "./blockHeader.ts";
import { checkOldBlock } from "./blockProof.ts";
import { blockIdFromTl, blockIdToTl } from "./ids.ts";
import { openBlock, openState, proofError, proofRoot, proven } from "./proven.ts";
import { checkShardLinks } from "./shards.ts";

/**
 * The block of a shard with a seqno, or the first one that ends at or after a logical time or was made at or after a
 * time. The shard need not have existed then: as servers do, it is taken as an account prefix, and the result is the
 * block of the shard that contained that prefix.
 */
export type Lookup = { readonly workchain: number; readonly shard: ShardId } & (
  | { readonly by: "seqno"; readonly seqno: number }
  | { readonly by: "lt"; readonly lt: bigint }
  | { readonly by: "time"; readonly at: number }
);

function lookupArgs(lookup: Lookup) {
  const id = {
    workchain: lookup.workchain,
    shard: BigInt.asIntN(64, lookup.shard),
    seqno: lookup.by === "seqno" ? lookup.seqno : 0,
  };
  if (lookup.by === "seqno") return { mode: 1, id };
  return lookup.by === "lt" ? { mode: 2, id, lt: lookup.lt } : { mode: 4, id, utime: lookup.at };
}

function isMeant(lookup: Lookup, shard: ShardId): boolean {
  return shardIsAncestor(shard, lookup.shard | 1n);
}

function fits(lookup: Lookup, id: BlockIdExt, info: HeaderFields): boolean {
  if (id.workchain !== lookup.workchain || !isMeant(lookup, id.shard)) return false;
  if (lookup.by === "seqno") return id.seqno === lookup.seqno;
  return lookup.by === "lt" ? info.endLt >= lookup.lt : info.genUtime >= lookup.at;
}

/** Whether the block before the found one would have been the answer. */
function comesTooLate(lookup: Lookup, before: HeaderFields): boolean {
  if (lookup.by === "seqno") return false;
  return lookup.by === "lt" ? before.endLt >= lookup.lt : before.genUtime >= lookup.at;
}

/** Checks only that the block fits the query: that it belongs to the chain must be proved separately. */
export function checkLookup(lookup: Lookup, answer: TlValue<typeof blockHeader>): HeaderAt {
  return proven("lookup", () => {
    const id = blockIdFromTl(answer.id);
    const { block } = openBlock(proofRoot(answer.headerProof), id);
    const info = loadCell(BlockInfo, block.info);
    if (!fits(lookup, id, info)) throw proofError(`${formatBlockId(id)} is not the requested block`);
    return { id, globalId: block.globalId, info };
  });
}

/** Which block it is according to the server, without proof; use `lookUpProven` where it matters. */
export async function lookUpClaimed(server: LiteServer, lookup: Lookup, options: TypedAskOptions): Promise<HeaderAt> {
  return askProven(server, lookupBlock, lookupArgs(lookup), (answer) => checkLookup(lookup, answer), options);
}

/**
 * A block according to the server, which must be the first of its chain: with any other, earlier ones could be hidden.
 */
export async function lookUpFirst(server: LiteServer, lookup: Lookup, options: TypedAskOptions): Promise<HeaderAt> {
  const check = (answer: TlValue<typeof blockHeader>) => {
    const headerAt = checkLookup(lookup, answer);
    if (headerAt.id.seqno !== 1) throw proofError(`${formatBlockId(headerAt.id)} is not proved to be the first match`);
    return headerAt;
  };
  return askProven(server, lookupBlock, lookupArgs(lookup), check, options);
}

/** Proves that the found block belongs to a trusted masterchain block, and that no earlier block fits. */
export function checkLookupProof(
  reference: BlockIdExt,
  lookup: Lookup,
  answer: TlValue<typeof lookupBlockResult>,
): HeaderAt {
  return proven("lookup", () => {
    const id = blockIdFromTl(answer.id);
    const master = blockIdFromTl(answer.mcBlockId);
    checkAncestor(reference, master, answer);
    checkShardLinks(master, answer.shardLinks, id);
    const { block } = openBlock(proofRoot(answer.header), id);
    const info = loadCell(BlockInfo, block.info);
    if (!fits(lookup, id, info)) throw proofError(`${formatBlockId(id)} is not the requested block`);
    if (lookup.by !== "seqno") checkBefore(lookup, info, answer.prevHeader);
    return { id, globalId: block.globalId, info };
  });
}

/** The reference itself, or one of the old blocks its state lists. */
function checkAncestor(reference: BlockIdExt, master: BlockIdExt, answer: TlValue<typeof lookupBlockResult>): void {
  if (sameBlock(reference, master)) return;
  const known = openBlock(proofRoot(answer.clientMcStateProof), reference);
  checkOldBlock(openState(proofRoot(answer.mcBlockProof), known), master);
}

function checkBefore(lookup: Lookup, info: BlockInfo, bytes: Uint8Array): void {
  const before = prevBlockIds(info).find((id) => isMeant(lookup, id.shard));
  if (before === undefined) throw proofError("a block with nothing before it in the shard");
  if (before.seqno === 0) return;
  if (comesTooLate(lookup, openBlock(proofRoot(bytes), before).header)) throw proofError("an earlier block matches");
}

/** The requested block, proved to belong to the chain of a trusted masterchain block. */
export async function lookUpProven(
  server: LiteServer,
  reference: BlockIdExt,
  lookup: Lookup,
  options: TypedAskOptions,
): Promise<HeaderAt> {
  const args = { ...lookupArgs(lookup), mcBlockId: blockIdToTl(reference) };
  const check = (answer: TlValue<typeof lookupBlockResult>) => checkLookupProof(reference, lookup, answer);
  return askProven(server, lookupBlockWithProof, args, check, options);
}
