import { describe, expect, it } from "vitest";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { addCurrency, noCurrency } from "../../../src/model/Currency.ts";
import { plainValue } from "../../kit/cell/checkCodec.ts";
import { fixtureBlocks } from "../../kit/model/fixtureChain.ts";

const blocks = fixtureBlocks("traffic").map((root) => loadCell(Block, root));

describe("account blocks", () => {
  it("sum the fees of their transactions, and a block those of its accounts", () => {
    for (const block of blocks) {
      const accounts = block.extra.load().accountBlocks.load();
      let all = noCurrency;
      accounts.forEach((account, _key, sum) => {
        let fees = noCurrency;
        account.transactions.forEach((link) => {
          fees = addCurrency(fees, link.load().totalFees);
        });
        expect(plainValue(sum)).toEqual(plainValue(fees));
        all = addCurrency(all, fees);
      });
      expect(plainValue(accounts.rootExtra())).toEqual(plainValue(all));
    }
  });

  it("lead from the state before the first transaction to that after the last", () => {
    for (const block of blocks) {
      for (const [key, { account, transactions, stateUpdate }] of block.extra.load().accountBlocks.load().entries()) {
        const updates = transactions.entries().map(([, link]) => link.load().stateUpdate);
        expect(account).toBe(key);
        expect(stateUpdate).toEqual({ oldHash: updates[0]?.oldHash, newHash: updates.at(-1)?.newHash });
      }
    }
  });
});
