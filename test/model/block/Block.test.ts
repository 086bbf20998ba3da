import { describe, expect, it } from "vitest";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import { readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asRecord, asText } from "../../../kit/suite/record.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { checkBlockParts, checkIndexFacts, listTransactions } from "../../kit/model/checkModelChain.ts";
import { fixtureBlocks, fixtureFolder, readFixtureChain } from "../../kit/model/fixtureChain.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("blocks", () => {
  it.each(["chain", "traffic"] as const)("are read completely and written unchanged: %s", (name) => {
    const record = readFixtureChain(name);
    expect(checkBlockParts(record).links).toBeGreaterThan(record.blocks.length * 4);
  });

  it.each(["chain", "traffic"] as const)("match the index of their recording: %s", (name) => {
    checkIndexFacts(readFixtureChain(name));
  });

  it("have the transactions of a second parser", () => {
    const transactions = listTransactions(readFixtureChain("traffic"));
    const expected = readJsonLinesGz(fixtureFolder, "traffic/transactions.jsonl.gz").map(asRecord);
    for (const { mc_seqno, trace_root, depth, ...facts } of expected)
      expect(transactions.get(asText(facts.hash))).toEqual(facts);
    expect(expected.length).toBeGreaterThan(100);
  });

  it("list transactions by account, then by time", () => {
    for (const root of fixtureBlocks("traffic")) {
      const places: string[] = [];
      forEachTransaction(loadCell(Block, root), (cell, account, lt) => {
        const transaction = loadCell(Transaction, cell);
        expect([transaction.account, transaction.lt]).toEqual([account, lt]);
        places.push(`${account} ${String(lt).padStart(20, "0")}`);
      });
      expect(places).toEqual([...places].sort());
    }
  });

  it("are rejected with another tag", () => {
    expect(refusalCode(() => loadCell(Block, cellOf("1".repeat(64))))).toBe("cell/tag");
  });
});
