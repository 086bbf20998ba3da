import { describe, expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { listChainRecords, readChainRecord } from "../../kit/cell/chainRecord.ts";
import { checkBlocks, checkZerostates, followChain } from "../../kit/cell/checkChain.ts";

describeCorpusPart("recorded chains", "*/index.json", (folder) => {
  describe.each(listChainRecords(folder))("%s", (name) => {
    const record = readChainRecord(folder, name);

    it("has blocks with the recorded hashes that are written like by the node", () => {
      checkBlocks(record);
      process.stdout.write(`${name}: ${record.blocks.length} blocks\n`);
    });

    it("has zero states with the recorded hashes that are written like by the node", () => {
      checkZerostates(record);
    });

    it("leads from the zero states to every later state by the updates of its blocks", () => {
      expect(followChain(record).size).toBe(record.zerostates.length + record.blocks.length);
    });
  });
});
