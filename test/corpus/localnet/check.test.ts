import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes } from "../../../kit/suite/corpus.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { listChainRecords, readChainRecord } from "../../kit/cell/chainRecord.ts";
import { checkBlock } from "../../kit/localnet/check/checkBlock.ts";

describeCorpusPart("the block check", ["blocks/*.boc", "*/index.json"], (folder) => {
  it("accepts every block file", () => {
    const files = listFiles(folder, "blocks", ".boc");
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) checkBlock(readRoot(readBytes(folder, file)));
  });

  it.each(listChainRecords(folder))("accepts every block of %s", (name) => {
    const record = readChainRecord(folder, name);
    for (const block of record.blocks) checkBlock(readRoot(record.blockBytes(block)));
  });
});
