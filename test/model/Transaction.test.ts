import { Cell as CoreCell, loadTransaction } from "@ton/core";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../src/cell/codec.ts";
import type { InCell, Message } from "../../src/model/Message.ts";
import { StateInit } from "../../src/model/StateInit.ts";
import { AccountStatus, HashUpdate, Transaction, TransactionDescription } from "../../src/model/Transaction.ts";
import { itHoldsForRandom, plainValue } from "../kit/cell/checkCodec.ts";
import { coreTransaction } from "../kit/cell/coreValues.ts";
import { fixtureTransactions } from "../kit/model/fixtureChain.ts";
import { anyDescription, anyHashUpdate, anyTransaction } from "../kit/model/transactionValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** A message in the form of `@ton/core`. */
function withoutPlaces({ info, init, body }: InCell<Message>): unknown {
  return { info: plainValue(info), init: init && storeCell(StateInit, init).hash(), body: body.hash() };
}

describe("transactions", () => {
  itHoldsForRandom("Transaction", Transaction, anyTransaction);
  itHoldsForRandom("TransactionDescription", TransactionDescription, anyDescription);
  itHoldsForRandom("HashUpdate", HashUpdate, anyHashUpdate);

  it("are read like in @ton/core, with the same hashes", () => {
    for (const cell of [...fixtureTransactions("chain"), ...fixtureTransactions("traffic")]) {
      const core = loadTransaction((CoreCell.fromBoc(writeBoc(cell))[0] as CoreCell).beginParse());
      const { messages, ...rest } = loadCell(Transaction, cell);
      const out = messages.out.values().map(withoutPlaces);
      const ours = { ...rest, messages: { in: messages.in && withoutPlaces(messages.in), out } };
      expect(plainValue(ours)).toEqual(coreTransaction(core));
      expect(core.hash().toString("hex")).toBe(cell.hash());
    }
  });

  it("keep the cell of each of their messages", () => {
    for (const cell of fixtureTransactions("chain")) {
      const { messages } = loadCell(Transaction, cell);
      const first = cell.ref(0);
      if (messages.in !== undefined) expect(messages.in.cell).toBe(first.ref(0));
    }
  });

  it("are rejected with another tag", () => {
    expect(refusalCode(() => loadCell(Transaction, cellOf("0110".padEnd(600, "0"))))).toBe("cell/tag");
  });

  it("have one of four account statuses", () => {
    const loaded = ["00", "01", "10", "11"].map((bits) => loadCell(AccountStatus, cellOf(bits)));
    expect(loaded).toEqual(["uninit", "frozen", "active", "nonexist"]);
  });
});
