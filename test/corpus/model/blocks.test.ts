import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { blockJson } from "../../kit/model/blockJson.ts";
import { checkBlockRoot } from "../../kit/model/checkModelChain.ts";

/** Sorts by account, then by logical time, like the block. */
function sorted(transactions: readonly unknown[]): readonly unknown[] {
  const key = (value: unknown): string => {
    const { account, lt } = asRecord(value);
    return `${account} ${String(lt).padStart(20, "0")}`;
  };
  return [...transactions].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

describeCorpusPart("blocks of the corpus", "blocks/*.boc", (folder) => {
  const paths = listFiles(folder, "blocks", ".expected.json");

  it.each(paths)("equal those of another parser: %s", (path) => {
    const expected = asRecord(readJson(folder, path));
    const root = readRoot(readBytes(folder, path.replace(".expected.json", ".boc")));
    const { header, transactions } = blockJson(root, expected.transactions_detail);
    expect(header).toEqual(expected.header);
    expect(sorted(transactions)).toEqual(sorted(asList(expected.transactions)));
    expect(checkBlockRoot(root).links).toBeGreaterThan(0);
    expect(transactions).toHaveLength(Number(asRecord(expected.header).tx_count));
  });
});
