import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { madeHash } from "./madeChain.ts";

type BlockRow = BatchRows["blocks"][number];

const whole = 1n << 63n;
const halves = [1n << 62n, 3n << 62n] as const;

/** A masterchain block of a synthetic chain and one block of each basechain shard, which begin at a logical time. */
export function madeBlocks(mcSeqno: number, startLt: number, count: number): Pick<BatchRows, "blocks" | "shardState"> {
  const master = madeBlock(mcSeqno, startLt, -1, whole, 0);
  const shards = halves.map((shard) => madeBlock(mcSeqno, startLt, 0, shard, Math.ceil(count / 2)));
  const blocks = [master, ...shards];
  const shardState = blocks.map(({ workchain, shard, seqno }) => ({ mcSeqno, workchain, shard, seqno }));
  return { blocks, shardState };
}

function madeBlock(seqno: number, startLt: number, workchain: number, shard: bigint, txCount: number): BlockRow {
  const number = seqno * 4 + (workchain === -1 ? 0 : shard === halves[0] ? 1 : 2);
  return {
    workchain,
    shard,
    seqno,
    rootHash: madeHash(40, number),
    fileHash: madeHash(41, number),
    mcBlockSeqno: seqno,
    globalId: -239,
    version: 0,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantMerge: false,
    wantSplit: false,
    keyBlock: false,
    vertSeqnoIncr: false,
    flags: 1,
    genUtime: 1_700_000_000 + seqno,
    startLt: BigInt(startLt),
    endLt: BigInt(startLt + 999),
    validatorListHashShort: 1,
    genCatchainSeqno: 1,
    minRefMcSeqno: seqno - 1,
    prevKeyBlockSeqno: 0,
    vertSeqno: 0,
    masterRefSeqno: seqno - 1,
    randSeed: madeHash(42, number),
    createdBy: madeHash(43, number),
    txCount,
    prevBlocks: [{ workchain, shard: String(BigInt.asIntN(64, shard)), seqno: seqno - 1 }],
  };
}
