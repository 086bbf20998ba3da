import { describe, expect, it } from "vitest";
import { loadCell } from "../../../../src/cell/codec.ts";
import { fetchShardBlocks, shardTops } from "../../../../src/history/ingest/source/shardBlocks.ts";
import type { WholeBlock } from "../../../../src/lite/queries/blocks.ts";
import { Block } from "../../../../src/model/block/Block.ts";
import { type BlockIdExt, shardChildren, wholeShard } from "../../../../src/model/block/BlockId.ts";
import { type Hash, zeroHash } from "../../../../src/model/Hash.ts";
import { fixtureBlocks } from "../../../kit/model/fixtureChain.ts";

const [left, right] = shardChildren(wholeShard);

function idOf(shard: bigint, seqno: number): BlockIdExt {
  const rootHash = `${shard.toString(16)}${seqno}`.padStart(64, "0") as Hash;
  return { workchain: 0, shard, seqno, rootHash, fileHash: zeroHash };
}

/** Any block; only its id and its parents are used here. */
const [model] = fixtureBlocks("chain");
if (model === undefined) throw new Error("no blocks");
const root = model;
const block = loadCell(Block, root);
const info = block.info.load();

/** A chain that splits after block 2 and merges at block 5; the right half has one block more than the left. */
const chain = new Map<Hash, WholeBlock>();
function add(
  shard: bigint,
  seqno: number,
  prev: readonly BlockIdExt[],
  how: "plain" | "split" | "merge" = "plain",
): void {
  const id = idOf(shard, seqno);
  const flags = { afterSplit: how === "split", afterMerge: how === "merge" };
  const prevRefs = prev.map(({ seqno: at, rootHash, fileHash }) => ({ endLt: 0n, seqno: at, rootHash, fileHash }));
  const own = { ...info, ...flags, shard: { workchain: 0, shard }, seqno, prev: prevRefs };
  chain.set(id.rootHash, { id, root, block, bytes: new Uint8Array(), info: own });
}
add(wholeShard, 1, [idOf(wholeShard, 0)]);
add(wholeShard, 2, [idOf(wholeShard, 1)]);
add(left, 3, [idOf(wholeShard, 2)], "split");
add(right, 3, [idOf(wholeShard, 2)], "split");
add(right, 4, [idOf(right, 3)]);
add(wholeShard, 5, [idOf(left, 3), idOf(right, 4)], "merge");

async function walk(tops: readonly BlockIdExt[], before: readonly BlockIdExt[]): Promise<BlockIdExt[]> {
  const asked: Hash[] = [];
  const blocks = await fetchShardBlocks(tops, before, async ({ rootHash }) => {
    asked.push(rootHash);
    return chain.get(rootHash) as WholeBlock;
  });
  expect(new Set(asked).size).toBe(asked.length);
  return blocks.map(({ id }) => id);
}

describe("the path from shard tops to the previous ones", () => {
  it("leads across a split and a merge, with each block once and after its parents", async () => {
    expect(await walk([idOf(wholeShard, 5)], [idOf(wholeShard, 1)])).toEqual([
      ...[idOf(wholeShard, 2), idOf(left, 3), idOf(right, 3), idOf(right, 4), idOf(wholeShard, 5)],
    ]);
    expect(await walk([idOf(wholeShard, 5)], [idOf(left, 3), idOf(right, 3)])).toEqual([
      ...[idOf(right, 4), idOf(wholeShard, 5)],
    ]);
    expect(await walk([idOf(left, 3), idOf(right, 4)], [idOf(wholeShard, 2)])).toEqual([
      ...[idOf(left, 3), idOf(right, 3), idOf(right, 4)],
    ]);
  });

  it("ends at zero states, which are not blocks", async () => {
    expect(await walk([idOf(wholeShard, 2)], [])).toEqual([idOf(wholeShard, 1), idOf(wholeShard, 2)]);
    expect(await walk([idOf(wholeShard, 0)], [])).toEqual([]);
  });

  it("is empty without new blocks", async () => {
    expect(await walk([idOf(left, 3), idOf(right, 3)], [idOf(left, 3), idOf(right, 3)])).toEqual([]);
  });

  it("does not continue past a missing block", async () => {
    const other = { ...idOf(wholeShard, 1), rootHash: "ff".repeat(32) as Hash };
    await expect(walk([idOf(wholeShard, 2)], [other])).rejects.toMatchObject({ code: "history/mismatch" });
  });

  it("starts only at masterchain blocks", () => {
    const basechain = fixtureBlocks("chain")
      .map((cell) => loadCell(Block, cell))
      .find((candidate) => candidate.info.load().shard.workchain === 0);
    if (basechain === undefined) throw new Error("no block of the basechain");
    expect(() => shardTops(basechain)).toThrow(expect.objectContaining({ code: "history/mismatch" }));
  });
});
