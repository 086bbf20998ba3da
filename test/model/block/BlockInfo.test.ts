import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { wholeShard } from "../../../src/model/block/BlockId.ts";
import { BlockInfo, prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyBlockInfo } from "../../kit/model/blockValues.ts";
import { sampleOf } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const [tag, version, flags] = [(0x9bc7a987).toString(2), "0".repeat(32), "0".repeat(8)];

describe("block headers", () => {
  itHoldsForRandom("BlockInfo", BlockInfo, anyBlockInfo);

  it("name the previous block of the same shard", () => {
    const info = { ...sampleOf(anyBlockInfo), afterSplit: false, afterMerge: false };
    const [first] = info.prev;
    expect(prevBlockIds({ ...info, prev: first ? [first] : [] })).toMatchObject([
      { workchain: info.shard.workchain, shard: info.shard.shard, seqno: first?.seqno },
    ]);
  });

  it("name the parent shard after a split and both halves after a merge", () => {
    const info = { ...sampleOf(anyBlockInfo.filter(({ prev }) => prev.length === 2)) };
    const split = { ...info, shard: { workchain: 0, shard: wholeShard >> 1n }, afterSplit: true, afterMerge: false };
    expect(prevBlockIds({ ...split, prev: info.prev.slice(0, 1) }).map(({ shard }) => shard)).toEqual([wholeShard]);
    const merged = { ...info, shard: { workchain: 0, shard: wholeShard }, afterSplit: false, afterMerge: true };
    expect(prevBlockIds(merged).map(({ shard }) => shard)).toEqual([0x4000000000000000n, 0xc000000000000000n]);
  });

  it("need a previous block", () => {
    expect(refusalCode(() => storeCell(BlockInfo, { ...sampleOf(anyBlockInfo), prev: [] }))).toBe("model/value");
  });

  it("are rejected with another tag or with unknown flags", () => {
    expect(refusalCode(() => loadCell(BlockInfo, cellOf("1".repeat(700))))).toBe("cell/tag");
    const unknown = cellOf(`${tag}${version}${flags}00000010${"0".repeat(700)}`);
    expect(refusalCode(() => loadCell(BlockInfo, unknown))).toBe("model/unknown");
  });
});
