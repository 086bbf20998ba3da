import { loadCell } from "../../../cell/codec.ts";
import { Block } from "../../../model/block/Block.ts";
import { HistoryError } from "../../errors.ts";
import type { BlockSource } from "./BlockSource.ts";

/**
 * Finds the logical time at which an index that begins with this masterchain block begins; the block is fetched once.
 */
export function indexStart(
  source: Pick<BlockSource, "batches">,
  first: number,
): (signal: AbortSignal) => Promise<bigint> {
  if (first <= 1) return async () => 0n;
  let start: Promise<bigint> | undefined;
  return (signal) => {
    start ??= fetchStart(source, first, signal);
    start.catch(() => {
      start = undefined;
    });
    return start;
  };
}

async function fetchStart(source: Pick<BlockSource, "batches">, first: number, signal: AbortSignal): Promise<bigint> {
  for await (const { master, shardBlocks } of source.batches({ from: first, to: first }, signal)) {
    const starts = [master, ...shardBlocks].map(({ root }) => loadCell(Block, root).info.load().startLt);
    return starts.reduce((least, lt) => (lt < least ? lt : least));
  }
  throw new HistoryError("history/mismatch", `masterchain block ${first} does not exist`);
}
