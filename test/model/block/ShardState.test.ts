import { describe, expect, it } from "vitest";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Linked, makeLinked } from "../../../src/cell/linked.ts";
import { basechain, masterchain } from "../../../src/model/block/BlockId.ts";
import { ShardState, ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { followChain } from "../../kit/cell/checkChain.ts";
import { checkStored } from "../../kit/cell/checkStored.ts";
import { checkStates } from "../../kit/model/checkModelChain.ts";
import { readFixtureChain } from "../../kit/model/fixtureChain.ts";

const record = readFixtureChain("chain");

describe("shard states", () => {
  it("at the start of a chain are read completely", () => {
    expect(checkStates(record).links).toBeGreaterThan(0);
  });

  it("after blocks are read completely and written unchanged", () => {
    const states = [...followChain(record).values()];
    const cells = new Set<Cell>();
    for (const state of states) {
      const { links, pruned } = checkStored(new Linked(state, ShardState), cells);
      expect([links > 0, pruned]).toEqual([true, 0]);
    }
    expect(states).toHaveLength(record.blocks.length + record.zerostates.length);
  });

  it("have a masterchain part only in the masterchain", () => {
    const parts = record.zerostates.map((recorded) => {
      const state = loadCell(ShardStateUnsplit, readRoot(record.stateBytes(recorded)));
      return [state.shard.workchain, state.custom !== undefined];
    });
    expect(parts).toEqual([
      [masterchain, true],
      [basechain, false],
    ]);
  });

  it("before a merge are two halves", () => {
    const [recorded] = record.zerostates;
    if (recorded === undefined) throw new Error("no zero state");
    const half = makeLinked(ShardStateUnsplit, loadCell(ShardStateUnsplit, readRoot(record.stateBytes(recorded))));
    const cell = storeCell(ShardState, { kind: "split", left: half, right: half });
    const state = loadCell(ShardState, cell);
    expect(state.kind === "split" && [state.left, state.right].map((link) => link.cell.hash())).toEqual([
      half.cell.hash(),
      half.cell.hash(),
    ]);
  });
});
