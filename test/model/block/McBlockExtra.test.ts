import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { McBlockExtra } from "../../../src/model/block/McBlockExtra.ts";
import { fixtureBlocks } from "../../kit/model/fixtureChain.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("the masterchain's part of a block", () => {
  it("is in masterchain blocks, and holds the configuration in key blocks", () => {
    let keys = 0;
    for (const root of fixtureBlocks("traffic")) {
      const block = loadCell(Block, root);
      const info = block.info.load();
      const extra = block.extra.load().custom?.load();
      expect([extra !== undefined, extra?.config !== undefined]).toEqual([
        info.shard.workchain === masterchain,
        info.keyBlock,
      ]);
      if (extra !== undefined) expect(extra.keyBlock).toBe(info.keyBlock);
      if (info.keyBlock) keys++;
    }
    expect(keys).toBeGreaterThan(0);
  });

  it("is rejected with another tag", () => {
    expect(refusalCode(() => loadCell(McBlockExtra, cellOf("0".repeat(200))))).toBe("cell/tag");
  });
});
