import type { BlockBatch } from "../Batch.ts";

/** What cells weigh, once read and hashed, by the byte of the bag they came in. */
const readPerByte = 3;

/** What the blocks of a batch weigh in memory as long as any of their cells is held on to. */
export function weighBlocks({ master, shardBlocks }: Pick<BlockBatch, "master" | "shardBlocks">): number {
  return readPerByte * shardBlocks.reduce((sum, { root }) => sum + root.bytes.length, master.root.bytes.length);
}
