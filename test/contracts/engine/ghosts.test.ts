import { expect, it } from "vitest";
import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { classify } from "../../../src/contracts/classify.ts";
import { storeAddress } from "../../../src/contracts/kit/knownAnswer.ts";
import { account, makeTestTrace, query } from "../../kit/model/testTrace.ts";

const wallet = account("wallet");

/** The body of an external message to a wallet v3 that orders one message. */
function orderOf(value: bigint, body: Cell): Cell {
  // int_msg_info$0 ihr_disabled bounce bounced src:addr_none dest value extra ihr_fee fwd_fee created_lt created_at
  const info = storeAddress(beginCell().storeUint(0b0110, 4).storeUint(0, 2), account("friend"));
  const fees = info.storeCoins(value).storeBit(false).storeCoins(0n).storeCoins(0n).storeBigUint(0n, 64);
  const message = fees.storeUint(0, 32).storeBit(false).storeBit(true).storeRef(body).cell();
  const head = beginCell().storeBigUint(0n, 256).storeBigUint(0n, 256).storeUint(1, 32).storeUint(0, 32);
  return head.storeUint(0, 32).storeUint(3, 8).storeRef(message).cell();
}

function listActions(value: bigint, body: Cell) {
  const trace = makeTestTrace(wallet, [], orderOf(value, body));
  return classify(trace, makeFacts({})).actions.map(({ type, success }) => [type, success]);
}

it("a call that a lone external message would have sent failed", () => {
  expect(listActions(5n, query(0x12345678))).toEqual([["call_contract", false]]);
});

it("one without value is shown as done, as in the service", () => {
  expect(listActions(0n, query(0x12345678))).toEqual([["call_contract", true]]);
});

it("a transfer that was never sent failed, with and without value", () => {
  const plain = beginCell().storeUint(0, 32).cell();
  expect(listActions(5n, plain)).toEqual([["ton_transfer", false]]);
  expect(listActions(0n, plain)).toEqual([["ton_transfer", false]]);
});

it("a jetton transfer that was never sent follows its call", () => {
  const start = beginCell().storeUint(0x0f8a7ea5, 32).storeBigUint(7n, 64).storeCoins(9n);
  const parties = storeAddress(storeAddress(start, account("receiver")), wallet);
  const body = parties.storeBit(false).storeCoins(0n).storeBit(false).cell();
  expect(listActions(5n, body)).toEqual([["jetton_transfer", false]]);
  expect(listActions(0n, body)).toEqual([["jetton_transfer", true]]);
});
