import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { cell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { makePruned } from "../../../src/cell/exotic.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { type ShardId, shardChildren, wholeShard } from "../../../src/model/block/BlockId.ts";
import {
  listShardTops,
  makeShardTree,
  ShardDescription,
  shardTopId,
  walkShardTree,
} from "../../../src/model/block/ShardHashes.ts";
import { itHoldsForRandom, plainValue } from "../../kit/cell/checkCodec.ts";
import { anyShardDescription } from "../../kit/model/blockValues.ts";
import { sampleOf } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** Shards that cover a workchain, from left to right; each choice splits one of them. */
function splitUp(choices: readonly number[]): ShardId[] {
  const shards: ShardId[] = [wholeShard];
  for (const choice of choices) {
    const index = choice % shards.length;
    shards.splice(index, 1, ...shardChildren(shards[index] as ShardId));
  }
  return shards;
}

describe("shards of a workchain", () => {
  itHoldsForRandom("ShardDescription, both forms", ShardDescription, anyShardDescription);

  it("are listed from left to right, for any tree", () => {
    const description = sampleOf(anyShardDescription);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100 }), { maxLength: 12 }), (choices) => {
        const tops = splitUp(choices).map((shard) => ({ shard, description }));
        const hashes = makeDictionary(intKey(32), cell, [[0, makeShardTree(tops)]]);
        const expected = tops.map((top) => ({ workchain: 0, ...top }));
        expect(plainValue(listShardTops(hashes))).toEqual(plainValue(expected));
      }),
    );
  });

  it("must cover the workchain", () => {
    const description = sampleOf(anyShardDescription);
    const [left] = shardChildren(wholeShard);
    expect(refusalCode(() => makeShardTree([{ shard: left, description }]))).toBe("model/shard");
  });

  it("that a proof prunes are rejected, or skipped on request", () => {
    const description = sampleOf(anyShardDescription);
    const [left, right] = shardChildren(wholeShard);
    const tree = makeShardTree([left, right].map((shard) => ({ shard, description })));
    const proved = beginCell()
      .storeBit(true)
      .storeRef(makePruned(tree.ref(0), 1))
      .storeRef(tree.ref(1))
      .cell();
    const seen: ShardId[] = [];
    walkShardTree(proved, (shard) => void seen.push(shard), true);
    expect(seen).toEqual([right]);
    expect(refusalCode(() => walkShardTree(proved, () => undefined))).toBe("cell/pruned");
  });

  it("are identified by their newest block", () => {
    const description = sampleOf(anyShardDescription);
    const { seqno, rootHash, fileHash } = description;
    const place = { workchain: 0, shard: wholeShard };
    expect(shardTopId({ ...place, description })).toEqual({ ...place, seqno, rootHash, fileHash });
  });

  it("are rejected if they split without end", () => {
    let tree = makeShardTree([{ shard: wholeShard, description: sampleOf(anyShardDescription) }]);
    for (let i = 0; i < 70; i++) tree = beginCell().storeBit(true).storeRef(tree).storeRef(tree).cell();
    expect(refusalCode(() => walkShardTree(tree, () => undefined))).toBe("model/shard");
  });
});
