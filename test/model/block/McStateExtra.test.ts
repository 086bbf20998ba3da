import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { McStateExtra } from "../../../src/model/block/McStateExtra.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { followChain } from "../../kit/cell/checkChain.ts";
import { readFixtureChain } from "../../kit/model/fixtureChain.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("the masterchain's part of a state", () => {
  it("lists every previous block with its hashes", () => {
    const record = readFixtureChain("chain");
    const master = record.blocks.filter(({ workchain }) => workchain === -1);
    const last = master.at(-1);
    const state = followChain(record).get(`-1 ${last?.shard} ${last?.seqno}`);
    if (state === undefined) throw new Error("no last state");
    const { history } = loadCell(ShardStateUnsplit, state).custom?.load() ?? {};
    for (const { seqno, root_hash: rootHash, file_hash: fileHash } of master.slice(0, -1))
      expect(history?.prevBlocks.get(seqno).block).toMatchObject({ seqno, rootHash, fileHash });
    // Includes the zero state, but not the block itself.
    expect(history?.prevBlocks.count()).toBe(master.length);
  });

  it("is rejected with another tag", () => {
    expect(refusalCode(() => loadCell(McStateExtra, cellOf("0".repeat(200))))).toBe("cell/tag");
  });
});
