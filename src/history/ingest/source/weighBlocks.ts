import type { BlockBatch } from "./BlockBatch.ts";

/** Memory of parsed and hashed cells per byte of their bag. */
const readPerByte = 3;

/** Memory that the blocks of a batch take while any of their cells is referenced. */
export function weighBlocks({ master, shardBlocks }: Pick<BlockBatch, "master" | "shardBlocks">): number {
  return readPerByte * shardBlocks.reduce((sum, { root }) => sum + root.bytes.length, master.root.bytes.length);
}
