import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readBoc } from "../../../src/cell/boc.ts";
import { bagsInAnswer } from "../../kit/api/bagsInAnswer.ts";
import { addStored, type Stored } from "../../kit/cell/checkStored.ts";
import { checkRoot } from "../../kit/model/checkProvenBody.ts";

describeCorpusPart("the content of proofs", "proofs/merkle-proofs.json", (folder) => {
  it.each(listFiles(folder, "proofs", "merkle-proofs.json"))("is read as blocks and states: %s", (path) => {
    for (const { boc, expected, name } of asList(asRecord(readJson(folder, path)).proofs).map(asRecord)) {
      const checked = readBoc(Buffer.from(asText(boc), "base64")).map(checkRoot);
      const kind = asRecord(expected).proved_kind;
      expect(checked[0] !== undefined, asText(name)).toBe(kind === "block" || kind === "shard state");
    }
  });

  const recordings = listFiles(folder, ".", ".jsonl.gz").filter((path) => path.includes("/lite/"));

  it.each(recordings)("is read as blocks and states in the answers of lite servers: %s", (path) => {
    const met: Stored = { links: 0, entries: 0, pruned: 0 };
    let bags = 0;
    for (const { response } of readJsonLinesGz(folder, path).map(asRecord)) {
      if (typeof response !== "string") continue;
      for (const bag of bagsInAnswer(Buffer.from(response, "base64"))) {
        bags++;
        for (const root of readBoc(bag)) addStored(met, checkRoot(root) ?? { links: 0, entries: 0, pruned: 0 });
      }
    }
    process.stdout.write(`${path}: ${bags} bags, ${met.links} links, ${met.entries} entries, ${met.pruned} pruned\n`);
    expect(met.links).toBeGreaterThan(bags / 2);
  });
});
