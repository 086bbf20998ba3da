import { expect } from "vitest";
import type { Cell } from "../../../src/cell/Cell.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import type { Rerun } from "./rerunChain.ts";
import { fees } from "./transactionFees.ts";

/** Checks that every transaction is reproduced exactly and that its fees add up. */
export function checkReruns(reruns: readonly Rerun[]): void {
  expect(reruns.length).toBeGreaterThan(0);
  for (const rerun of reruns) {
    const { expected, outcome, transaction } = rerun;
    const hash = outcome.kind === "done" ? outcome.transaction.cell.hash() : outcome.kind;
    expect(hash).toBe(expected.hash());
    expect(fees(transaction).import, expected.hash()).toBe(importFee(rerun));
  }
}

/** The import fee by the prices of the configuration; zero for internal messages and special accounts. */
function importFee(rerun: Rerun): bigint {
  const { transaction, workchain, config } = rerun;
  const message = transaction.messages.in;
  if (message?.info.kind !== "externalIn" || isSpecial(rerun)) return 0n;
  const prices = getConfigParam(config, workchain === masterchain ? 24 : 25);
  const { cells, bits } = sizeBelow(message.cell);
  const perSize = prices.bitPrice * BigInt(bits) + prices.cellPrice * BigInt(cells);
  return prices.lumpPrice + ((perSize + 0xffffn) >> 16n);
}

/** Special accounts pay nothing: those listed in the configuration, and the configuration contract. */
function isSpecial({ transaction: { account }, workchain, config }: Rerun): boolean {
  const isNamed = getConfigParam(config, 31).has(account) || getConfigParam(config, 0) === account;
  return workchain === masterchain && isNamed;
}

/** The number of distinct cells below the root, and of their bits. */
function sizeBelow(root: Cell): { readonly cells: number; readonly bits: number } {
  const cells = new Map<string, Cell>();
  const stack = root.refs();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (cells.has(next.hash())) continue;
    cells.set(next.hash(), next);
    stack.push(...next.refs());
  }
  return { cells: cells.size, bits: [...cells.values()].reduce((sum, cell) => sum + cell.bitLength, 0) };
}
