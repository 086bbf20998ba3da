import { expect, it } from "vitest";
import { makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { account, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [wallet, router, pool, deposits] = [account("wallet"), account("router"), account("pool"), account("deposits")];
const lpWallet = account("lp wallet");

function provide(left: bigint, right: bigint): Cell {
  const start = beginCell().storeUint(0x37c096df, 32).storeBigUint(7n, 64);
  return storeAddress(start, wallet).storeCoins(left).storeCoins(right).cell();
}

/** One side of a deposit in TON; what the pool answers to it follows. */
function side(name: string, body: Cell, causes: readonly Step[]): Step {
  const added = { to: deposits, body: query(0x50c6a654), causes };
  const provided = { to: pool, body, causes: [added] };
  const notified = { to: router, body: query(0x7362d09c), causes: [provided] };
  return { to: account(name), body: query(0x01f3835d), causes: [notified] };
}

const mint = storeAddress(
  storeAddress(beginCell().storeUint(0x178d4519, 32).storeBigUint(7n, 64).storeCoins(50n), pool),
  wallet,
);
const excess: Step = {
  to: wallet,
  body: query(0xd53276db),
  aborted: true,
  causes: [{ to: lpWallet, body: query(0xffffffff) }],
};
const minted: Step = { to: lpWallet, body: mint.storeCoins(0n).storeBit(false).cell(), causes: [excess] };
const whole = side("first", provide(5n, 0n), [{ to: pool, body: query(0x06ecd527), causes: [minted] }]);
const waiting = side("second", provide(0n, 6n), []);

function listDeposits(steps: readonly Step[]) {
  const trace = makeTestTrace(wallet, steps);
  const { actions } = classify(trace, makeFacts({}));
  return { trace, actions: actions.filter(({ ancestors }) => ancestors.length === 0) };
}

it("a deposit of two sides contains the bounce of the excess of the side that was recognised first", () => {
  const { trace, actions } = listDeposits([whole, waiting]);
  expect(actions.map(({ type, details }) => [type, details.amount_1, details.amount_2])).toEqual([
    ["dex_deposit_liquidity", "6", "5"],
  ]);
  // Without the transaction of the common sender.
  expect([...(actions[0]?.transactions ?? [])].sort()).toEqual(
    trace.transactions
      .slice(1)
      .map(({ hash }) => hash)
      .sort(),
  );
});

it("two sides with an excess of their sender beside them are not one deposit", () => {
  const { actions } = listDeposits([whole, waiting, { to: account("other"), body: query(0xd53276db) }]);
  const deposits = actions.filter(({ type }) => type === "dex_deposit_liquidity");
  expect(deposits.map(({ details }) => [details.amount_1, details.amount_2])).toEqual([["5", null]]);
});
