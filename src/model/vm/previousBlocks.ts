import type { BlockIdExt } from "../block/BlockId.ts";
import type { VmStackValue } from "./VmStack.ts";

/** Masterchain blocks that code may access, newest first. */
export interface PreviousBlocks {
  readonly last: readonly BlockIdExt[];
  readonly lastKeyBlock: BlockIdExt;
  /** The last sixteen whose seqno is a multiple of a hundred; known to code since global version 9. */
  readonly lastHundreds: readonly BlockIdExt[];
}

// prev_blocks_info: [ last_mc_blocks: [ BlockId … ], prev_key_block: BlockId, last_mc_blocks_100: [ BlockId … ] ]
export function previousBlocksTuple(blocks: PreviousBlocks): VmStackValue {
  const { last, lastKeyBlock, lastHundreds } = blocks;
  return tuple([tuple(last.map(blockTuple)), blockTuple(lastKeyBlock), tuple(lastHundreds.map(blockTuple))]);
}

// BlockId: [ wc:Integer shard:Integer seqno:Integer root_hash:Integer file_hash:Integer ]
function blockTuple({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): VmStackValue {
  const numbers = [BigInt(workchain), shard, BigInt(seqno), BigInt(`0x${rootHash}`), BigInt(`0x${fileHash}`)];
  return tuple(numbers.map((value) => ({ kind: "int", value })));
}

function tuple(items: readonly VmStackValue[]): VmStackValue {
  return { kind: "tuple", items };
}
