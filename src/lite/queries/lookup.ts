import { type BlockIdExt, formatBlockId, type ShardId, sameBlock, shardIsAncestor } from "../../model/block/BlockId.ts";
import { type BlockInfo, type HeaderFields, prevBlockIds } from "../../model/block/BlockInfo.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { lookupBlock, lookupBlockWithProof } from "../tl/liteQueries.ts";
import type { blockHeader, lookupBlockResult } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { checkOldBlock } from "./blockProof.ts";
import type { HeaderAt } from "./blocks.ts";
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

function lookupArgs(asked: Lookup) {
  const id = {
    workchain: asked.workchain,
    shard: BigInt.asIntN(64, asked.shard),
    seqno: asked.by === "seqno" ? asked.seqno : 0,
  };
  if (asked.by === "seqno") return { mode: 1, id };
  return asked.by === "lt" ? { mode: 2, id, lt: asked.lt } : { mode: 4, id, utime: asked.at };
}

function isMeant(asked: Lookup, shard: ShardId): boolean {
  return shardIsAncestor(shard, asked.shard | 1n);
}

function fits(asked: Lookup, id: BlockIdExt, info: HeaderFields): boolean {
  if (id.workchain !== asked.workchain || !isMeant(asked, id.shard)) return false;
  if (asked.by === "seqno") return id.seqno === asked.seqno;
  return asked.by === "lt" ? info.endLt >= asked.lt : info.genUtime >= asked.at;
}

/** Whether the block before the found one would have been the answer. */
function comesTooLate(asked: Lookup, before: HeaderFields): boolean {
  if (asked.by === "seqno") return false;
  return asked.by === "lt" ? before.endLt >= asked.lt : before.genUtime >= asked.at;
}

/** Checks only that the block fits the query: that it belongs to the chain must be proved separately. */
export function checkLookup(asked: Lookup, answer: TlValue<typeof blockHeader>): HeaderAt {
  return proven("lookup", () => {
    const id = blockIdFromTl(answer.id);
    const { block } = openBlock(proofRoot(answer.headerProof), id);
    const info = block.info.load();
    if (!fits(asked, id, info)) throw proofError(`${formatBlockId(id)} is not the requested block`);
    return { id, globalId: block.globalId, info };
  });
}

/** Which block it is according to the server, without proof; use `lookUpProven` where it matters. */
export async function lookUpClaimed(server: LiteServer, asked: Lookup, options: TypedAskOptions): Promise<HeaderAt> {
  return askProven(server, lookupBlock, lookupArgs(asked), (answer) => checkLookup(asked, answer), options);
}

/** A block according to the server, which must be the first of its chain: with any other, earlier ones could be hidden. */
export async function lookUpFirst(server: LiteServer, asked: Lookup, options: TypedAskOptions): Promise<HeaderAt> {
  const check = (answer: TlValue<typeof blockHeader>) => {
    const found = checkLookup(asked, answer);
    if (found.id.seqno !== 1) throw proofError(`${formatBlockId(found.id)} is not proved to be the first match`);
    return found;
  };
  return askProven(server, lookupBlock, lookupArgs(asked), check, options);
}

/** Proves that the found block belongs to a trusted masterchain block, and that no earlier block fits. */
export function checkLookupProof(
  reference: BlockIdExt,
  asked: Lookup,
  answer: TlValue<typeof lookupBlockResult>,
): HeaderAt {
  return proven("lookup", () => {
    const id = blockIdFromTl(answer.id);
    const master = blockIdFromTl(answer.mcBlockId);
    checkAncestor(reference, master, answer);
    checkShardLinks(master, answer.shardLinks, id);
    const { block } = openBlock(proofRoot(answer.header), id);
    const info = block.info.load();
    if (!fits(asked, id, info)) throw proofError(`${formatBlockId(id)} is not the requested block`);
    if (asked.by !== "seqno") checkBefore(asked, info, answer.prevHeader);
    return { id, globalId: block.globalId, info };
  });
}

/** The reference itself, or one of the old blocks its state lists. */
function checkAncestor(reference: BlockIdExt, master: BlockIdExt, answer: TlValue<typeof lookupBlockResult>): void {
  if (sameBlock(reference, master)) return;
  const known = openBlock(proofRoot(answer.clientMcStateProof), reference);
  checkOldBlock(openState(proofRoot(answer.mcBlockProof), known), master);
}

function checkBefore(asked: Lookup, info: BlockInfo, bytes: Uint8Array): void {
  const before = prevBlockIds(info).find((id) => isMeant(asked, id.shard));
  if (before === undefined) throw proofError("a block with nothing before it in the shard");
  if (before.seqno === 0) return;
  if (comesTooLate(asked, openBlock(proofRoot(bytes), before).header)) throw proofError("an earlier block matches");
}

/** The requested block, proved to belong to the chain of a trusted masterchain block. */
export async function lookUpProven(
  server: LiteServer,
  reference: BlockIdExt,
  asked: Lookup,
  options: TypedAskOptions,
): Promise<HeaderAt> {
  const args = { ...lookupArgs(asked), mcBlockId: blockIdToTl(reference) };
  const check = (answer: TlValue<typeof lookupBlockResult>) => checkLookupProof(reference, asked, answer);
  return askProven(server, lookupBlockWithProof, args, check, options);
}
