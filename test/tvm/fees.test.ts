import { describe, expect, it } from "vitest";
import { loadCell } from "../../src/cell/codec.ts";
import { Transaction } from "../../src/model/Transaction.ts";
import { type Fees, fees } from "../../src/tvm/fees.ts";
import { fixtureTransactions } from "../kit/model/fixtureChain.ts";

const recorded = [...fixtureTransactions("chain"), ...fixtureTransactions("traffic")].map((cell) =>
  loadCell(Transaction, cell),
);

function findFees(wanted: (transaction: Transaction) => boolean): Fees {
  const found = recorded.find(wanted);
  if (found === undefined) throw new Error("no such transaction is recorded");
  return fees(found);
}

describe("fees of a transaction", () => {
  it("add up to what it collected, and taking in costs only for messages from outside", () => {
    for (const transaction of recorded) {
      const { storage, gas, action, import: imported, total } = fees(transaction);
      expect(storage + gas + action + imported).toBe(total);
      const isExternal = transaction.messages.in?.info.kind === "externalIn";
      expect(imported >= 0n && (isExternal || imported === 0n)).toBe(true);
    }
  });

  it("count a bounced message as sent", () => {
    const { forward, action } = findFees(
      ({ description }) => description.kind === "ordinary" && description.bounce?.kind === "ok",
    );
    expect(forward > action && action > 0n).toBe(true);
  });

  it("are none for tick and tock", () => {
    expect(findFees(({ description }) => description.kind === "tickTock")).toEqual({
      storage: 0n,
      gas: 0n,
      forward: 0n,
      action: 0n,
      import: 0n,
      total: 0n,
    });
  });
});
