import { describe, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { KnownShardProofs } from "../../../src/lite/queries/KnownShardProofs.ts";
import { openHeader, proofPair } from "../../../src/lite/queries/proven.ts";
import { getAccountState } from "../../../src/lite/tl/liteQueries.ts";
import { findRecorded } from "../../kit/lite/recordedAnswer.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { args, answer } = findRecorded(
  getAccountState,
  (recordedAnswer) => recordedAnswer.answer.shardblk.workchain === 0 && recordedAnswer.args.id.workchain === -1,
);
const [block, shard] = [blockIdFromTl(args.id), blockIdFromTl(answer.shardblk)];
const proof = answer.shardProof;

describe("known shard proofs", () => {
  it("are valid again, also after eviction", () => {
    const known = new KnownShardProofs();
    known.check(block, shard, proof);
    known.check(block, shard, Uint8Array.from(proof));
    known.clear();
    known.check(block, shard, proof);
    known.check(block, block, new Uint8Array(0));
  });

  it("are not valid for other bytes or another block", () => {
    const known = new KnownShardProofs();
    known.check(block, shard, proof);
    const mutated = proof.map((byte, at) => (at === proof.length - 5 ? byte ^ 1 : byte));
    const forgeries = [
      () => known.check(block, shard, mutated),
      () => known.check(block, shard, proof.subarray(0, -1)),
      () => known.check(block, shard, new Uint8Array(0)),
      () => known.check({ ...block, seqno: block.seqno + 1 }, shard, proof),
      () => known.check({ ...block, rootHash: shard.rootHash }, shard, proof),
      () => known.check(block, { ...shard, fileHash: block.fileHash }, proof),
      () => known.check(block, { ...shard, seqno: shard.seqno + 1 }, proof),
      () => known.check(block, { ...shard, rootHash: block.rootHash }, proof),
    ];
    // Bytes that are not a proof are rejected by the decoder.
    for (const forgery of forgeries) expect(refusalCode(forgery)).toMatch(/^(?:lite\/proof|cell\/)/);
    known.check(block, shard, proof);
  });

  it("have the header of the shard's block, which is read once per block", () => {
    const known = new KnownShardProofs();
    const [header] = proofPair(answer.proof);
    const opened = known.openHeader(header, shard);
    expect(opened).toEqual(openHeader(header, shard));
    expect(known.openHeader(emptyCell, shard)).toBe(opened);
    for (const other of [
      { ...shard, fileHash: block.fileHash, seqno: shard.seqno + 1 },
      { ...shard, rootHash: block.rootHash },
    ])
      expect(refusalCode(() => known.openHeader(header, other))).toMatch(/^(?:lite\/proof|cell\/)/);
    known.clear();
    expect(refusalCode(() => known.openHeader(emptyCell, shard))).toBe("cell/proof");
  });

  it("do not change with the given bytes", () => {
    const known = new KnownShardProofs();
    const given = Uint8Array.from(proof);
    known.check(block, shard, given);
    given.fill(0);
    expect(refusalCode(() => known.check(block, shard, given))).toMatch(/^cell\//);
    known.check(block, shard, proof);
  });
});
