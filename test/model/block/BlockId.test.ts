import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import {
  BlockIdExt,
  ExtBlkRef,
  formatBlockId,
  makeShard,
  masterBlockId,
  ShardIdent,
  sameBlock,
  shardChildren,
  shardContains,
  shardHolds,
  shardIsAncestor,
  shardParent,
  shardPrefixLength,
  shardsIntersect,
  signedShard,
  wholeShard,
} from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyBlockIdExt, anyBlockRef, anyShard, anyShardIdent } from "../../kit/model/blockValues.ts";
import { anyAddress, anyHash } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** The prefix of a shard as text of bits. */
function prefixOf(shard: bigint): string {
  const bits = shard.toString(2).padStart(64, "0");
  return bits.slice(0, bits.lastIndexOf("1"));
}

function bitsOf(account: Hash): string {
  return BigInt(`0x1${account}`).toString(2).slice(1);
}

describe("shards", () => {
  itHoldsForRandom("ShardIdent", ShardIdent, anyShardIdent);
  itHoldsForRandom("BlockIdExt", BlockIdExt, anyBlockIdExt);
  itHoldsForRandom("ExtBlkRef", ExtBlkRef, anyBlockRef);

  it("have as many prefix bits as are above their lowest bit", () => {
    fc.assert(fc.property(anyShard, (shard) => void expect(shardPrefixLength(shard)).toBe(prefixOf(shard).length)));
    expect(shardPrefixLength(wholeShard)).toBe(0);
    expect(shardPrefixLength(1n)).toBe(63);
  });

  it("are made of a prefix and its length", () => {
    expect(makeShard(0xffffffffffffffffn, 3)).toBe(0xf000000000000000n);
    expect(makeShard(0n, 0)).toBe(wholeShard);
    fc.assert(fc.property(anyShard, (shard) => void expect(makeShard(shard, shardPrefixLength(shard))).toBe(shard)));
  });

  it("contain the accounts that start with their prefix", () => {
    fc.assert(
      fc.property(anyShard, anyHash, (shard, account) => {
        const prefix = prefixOf(shard);
        expect(shardContains(shard, account)).toBe(bitsOf(account).startsWith(prefix));
        const inside = BigInt(`0b${prefix}${bitsOf(account).slice(prefix.length)}`);
        expect(shardContains(shard, inside.toString(16).padStart(64, "0") as Hash)).toBe(true);
      }),
    );
  });

  it("contain only addresses of their own workchain", () => {
    fc.assert(
      fc.property(anyAddress, fc.integer({ min: -2, max: 1 }), (address, workchain) => {
        const own = Number(address.split(":")[0]) === workchain;
        expect(shardHolds({ workchain, shard: wholeShard, seqno: 1 }, address)).toBe(own);
      }),
    );
  });

  it("are between their parent and their children", () => {
    fc.assert(
      fc.property(anyShard, (shard) => {
        const [left, right] = shardChildren(shard);
        expect([prefixOf(left), prefixOf(right)]).toEqual([`${prefixOf(shard)}0`, `${prefixOf(shard)}1`]);
        expect([shardParent(left), shardParent(right)]).toEqual([shard, shard]);
        expect([shardIsAncestor(shard, left), shardIsAncestor(left, shard)]).toEqual([true, false]);
        expect([shardsIntersect(left, right), shardsIntersect(left, shard)]).toEqual([false, true]);
      }),
    );
  });

  it("are ancestors of those whose prefixes start with theirs, including themselves", () => {
    fc.assert(
      fc.property(anyShard, anyShard, (a, b) => {
        expect(shardIsAncestor(a, b)).toBe(prefixOf(b).startsWith(prefixOf(a)));
        expect(shardIsAncestor(a, a)).toBe(true);
        expect(shardsIntersect(a, b)).toBe(shardIsAncestor(a, b) || shardIsAncestor(b, a));
      }),
    );
  });

  it("have a signed form", () => {
    expect(signedShard(wholeShard)).toBe(-9223372036854775808n);
    expect(signedShard(0x2000000000000000n)).toBe(2305843009213693952n);
  });

  it("end at the whole workchain and at a single bit", () => {
    expect(refusalCode(() => shardParent(wholeShard))).toBe("model/shard");
    expect(refusalCode(() => shardChildren(1n))).toBe("model/shard");
  });

  it("are nonzero 64-bit numbers", () => {
    for (const shard of [0n, -1n, 1n << 64n]) {
      expect(refusalCode(() => shardPrefixLength(shard))).toBe("model/shard");
      expect(refusalCode(() => shardContains(shard, "0".repeat(64) as Hash))).toBe("model/shard");
    }
  });

  it("have prefixes of at most 60 bits in cells, and no bits after them", () => {
    const ident = (length: number, prefix: bigint) =>
      cellOf(length.toString(2).padStart(8, "0") + "0".repeat(32) + prefix.toString(2).padStart(64, "0"));
    expect(refusalCode(() => loadCell(ShardIdent, ident(61, 0n)))).toBe("model/shard");
    expect(refusalCode(() => loadCell(ShardIdent, ident(2, 0x1000000000000000n)))).toBe("model/shard");
    expect(refusalCode(() => storeCell(ShardIdent, { workchain: 0, shard: 4n }))).toBe("model/shard");
    expect(loadCell(ShardIdent, ident(2, 0x4000000000000000n))).toEqual({ workchain: 0, shard: 0x6000000000000000n });
  });

  it("of zero states are written with the bit that ends their prefix", () => {
    const cell = cellOf("0".repeat(40) + "1".padEnd(64, "0"));
    const ident = loadCell(ShardIdent, cell);
    expect(ident).toEqual({ workchain: 0, shard: wholeShard, hasEndBit: true });
    expect(storeCell(ShardIdent, ident).hash()).toBe(cell.hash());
  });
});

describe("block ids", () => {
  it("are printed like by nodes", () => {
    expect(formatBlockId({ workchain: -1, shard: wholeShard, seqno: 7 })).toBe("(-1,8000000000000000,7)");
    expect(formatBlockId({ workchain: 0, shard: 0x0d83800000000000n, seqno: 1 })).toBe("(0,0d83800000000000,1)");
  });

  it("are equal if position and content are", () => {
    fc.assert(
      fc.property(anyBlockIdExt, (id) => {
        expect(sameBlock(id, { ...id })).toBe(true);
        expect(sameBlock(id, { ...id, seqno: id.seqno ^ 1 })).toBe(false);
        expect(sameBlock(id, { ...id, workchain: id.workchain ^ 1 })).toBe(false);
        expect(sameBlock(id, { ...id, fileHash: "other" as Hash })).toBe(false);
      }),
    );
  });

  it("of references to the masterchain name its only shard", () => {
    const rootHash = "1".repeat(64) as Hash;
    const fileHash = "2".repeat(64) as Hash;
    const expected = { workchain: -1, shard: wholeShard, seqno: 3, rootHash, fileHash };
    expect(masterBlockId({ endLt: 5n, seqno: 3, rootHash, fileHash })).toEqual(expected);
  });
});
