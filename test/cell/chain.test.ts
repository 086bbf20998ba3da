import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRoot } from "../../src/cell/boc.ts";
import { readChainRecord } from "../kit/cell/chainRecord.ts";
import { checkBlocks, checkZerostates, followChain } from "../kit/cell/checkChain.ts";
import { describeCell, describeCoreCell, pairCells, readCore } from "../kit/cell/coreCells.ts";

/** The first blocks of both chains of a recorded network; `test/corpus/cell/chain.test.ts` has all of them. */
describe("the start of a recorded chain", () => {
  const record = readChainRecord(join(import.meta.dirname, "../fixtures/realnet"), "chain");

  it("has blocks with the recorded hashes that are written like by the node", () => {
    expect(record.blocks.length).toBeGreaterThan(80);
    checkBlocks(record);
  });

  it("has zero states with the recorded hashes that are written like by the node", () => {
    checkZerostates(record);
  });

  it("leads from the zero states to every later state by the updates of its blocks", () => {
    expect(followChain(record).size).toBe(record.zerostates.length + record.blocks.length);
  });

  it("has cells with the same hashes and depths of all levels as in @ton/core", () => {
    for (const block of record.blocks.filter((_, i) => i % 5 === 0)) {
      const bytes = record.blockBytes(block);
      for (const [ours, theirs] of pairCells([readRoot(bytes)], readCore(bytes)))
        expect(describeCell(ours)).toEqual(describeCoreCell(theirs));
    }
  });
});
