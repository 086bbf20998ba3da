import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes } from "../../../kit/suite/corpus.ts";
import { readBoc } from "../../../src/cell/boc.ts";
import { describeCell, describeCoreCell, pairCells, readCore } from "../../kit/cell/coreCells.ts";

describeCorpusPart("cells of real blocks and configurations", ["blocks/*.boc", "config/*.boc"], (folder) => {
  const files = [...listFiles(folder, "blocks", ".boc"), ...listFiles(folder, "config", ".boc")];

  it.each(files)("of %s have the same kind, mask, hashes and depths as in @ton/core", (path) => {
    const bytes = readBytes(folder, path);
    for (const [ours, theirs] of pairCells(readBoc(bytes), readCore(bytes)))
      expect(describeCell(ours)).toEqual(describeCoreCell(theirs));
  });
});
