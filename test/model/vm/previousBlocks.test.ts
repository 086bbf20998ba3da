import { describe, expect, it } from "vitest";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import { previousBlocksTuple } from "../../../src/model/vm/previousBlocks.ts";

function block(seqno: number): BlockIdExt {
  const hash = parseHash(seqno.toString(16).padStart(64, "0"));
  return { workchain: -1, shard: 1n << 63n, seqno, rootHash: hash, fileHash: hash };
}

function tupleOf(seqno: number) {
  const numbers = [-1n, 1n << 63n, BigInt(seqno), BigInt(seqno), BigInt(seqno)];
  return { kind: "tuple", items: numbers.map((value) => ({ kind: "int", value })) };
}

describe("previous blocks", () => {
  it("are three tuples of blocks, with unsigned shards", () => {
    const blocks = { last: [block(205), block(204)], lastKeyBlock: block(7), lastHundreds: [block(200), block(100)] };
    expect(previousBlocksTuple(blocks)).toEqual({
      kind: "tuple",
      items: [
        { kind: "tuple", items: [tupleOf(205), tupleOf(204)] },
        tupleOf(7),
        { kind: "tuple", items: [tupleOf(200), tupleOf(100)] },
      ],
    });
  });
});
