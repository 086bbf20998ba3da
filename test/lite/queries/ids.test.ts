import { describe, expect, it } from "vitest";
import { accountIdToTl, blockIdFromTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";

describe("ids", () => {
  it("round-trip through TL, with unsigned shard and seqno on our side", () => {
    const id = {
      workchain: masterchain,
      shard: wholeShard,
      seqno: 0xffffffff,
      rootHash: "1a".repeat(32) as Hash,
      fileHash: "2b".repeat(32) as Hash,
    };
    const tl = blockIdToTl(id);
    expect(tl.shard).toBe(-(2n ** 63n));
    expect(blockIdFromTl({ ...tl, seqno: tl.seqno | 0 })).toEqual(id);
  });

  it("of accounts convert to TL", () => {
    const { workchain, id } = accountIdToTl(makeAddress(-1, "0c".repeat(32)));
    expect([workchain, id.length, id[31]]).toEqual([-1, 32, 12]);
  });
});
