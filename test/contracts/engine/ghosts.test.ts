import { expect, it } from "vitest";
import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { classify } from "../../../src/contracts/classify.ts";
import { storeAddress } from "../../../src/contracts/kit/knownAnswer.ts";
import { account, makeTestTrace, query } from "../../kit/model/testTrace.ts";

const wallet = account("wallet");

/** A message to a friend, as a wallet is told to send it. */
function messageOf(value: bigint, body: Cell): Cell {
  // int_msg_info$0 ihr_disabled bounce bounced src:addr_none dest value extra ihr_fee fwd_fee created_lt created_at
  const info = storeAddress(beginCell().storeUint(0b0110, 4).storeUint(0, 2), account("friend"));
  const fees = info.storeCoins(value).storeBit(false).storeCoins(0n).storeCoins(0n).storeBigUint(0n, 64);
  return fees.storeUint(0, 32).storeBit(false).storeBit(true).storeRef(body).cell();
}

/** The body of an external message to a wallet v3 that orders one message. */
function orderOf(value: bigint, body: Cell): Cell {
  const message = messageOf(value, body);
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

/** The body of an external request to a Telegram wallet. */
function telegramRequest(op: number, store: (builder: Builder) => Builder): Cell {
  const head = beginCell().storeBigUint(0n, 256).storeBigUint(0n, 256).storeUint(op, 32).storeUint(1, 32);
  return store(head.storeUint(0, 32).storeUint(0, 32)).cell();
}

/** A part of a list of messages, each with its mode. */
function chunkOf(messages: readonly Cell[], next?: Cell): Cell {
  const start = next === undefined ? beginCell().storeBit(false) : beginCell().storeBit(true).storeRef(next);
  return messages.reduce((chunk, message) => chunk.storeUint(3, 8).storeRef(message), start).cell();
}

function listGhosts(body: Cell) {
  const { actions } = classify(makeTestTrace(wallet, [], body), makeFacts({}));
  return actions.map(({ type, success, details }) => [type, success, details.value]);
}

const plain = beginCell().storeUint(0, 32).cell();

it("a Telegram wallet would have sent the one message of a request", () => {
  const body = telegramRequest(0x63896e75, (b) => b.storeUint(3, 8).storeRef(messageOf(5n, plain)));
  expect(listGhosts(body)).toEqual([["ton_transfer", false, "5"]]);
});

it("a Telegram wallet would have sent the messages of all parts of a list, in order", () => {
  const last = chunkOf([messageOf(7n, plain)]);
  const first = chunkOf([messageOf(5n, plain), messageOf(6n, plain)], last);
  const body = telegramRequest(0x73896e75, (b) => b.storeUint(3, 8).storeBit(true).storeRef(first));
  expect(listGhosts(body)).toEqual(["5", "6", "7"].map((value) => ["ton_transfer", false, value]));
});

it("a part of a list without messages leads to the next one", () => {
  const first = chunkOf([], chunkOf([messageOf(7n, plain)]));
  const body = telegramRequest(0x73896e75, (b) => b.storeUint(1, 8).storeBit(true).storeRef(first));
  expect(listGhosts(body)).toEqual([["ton_transfer", false, "7"]]);
});

it("an outgoing external message is part of an order, but not shown; what is no message makes it none", () => {
  const outside = beginCell().storeBit(true).cell();
  const many = (other: Cell) =>
    telegramRequest(0x73896e75, (b) =>
      b
        .storeUint(2, 8)
        .storeBit(true)
        .storeRef(chunkOf([other, messageOf(7n, plain)])),
    );
  expect(listGhosts(many(outside))).toEqual([["ton_transfer", false, "7"]]);
  expect(listGhosts(many(beginCell().storeBit(false).cell()))).toEqual([["unknown", true, undefined]]);
});

it("a refused change of the key of a Telegram wallet would have sent nothing", () => {
  const body = telegramRequest(0xfbba99c8, (b) => b.storeBigUint(1n, 256).storeRef(plain).storeRef(plain));
  expect(listGhosts(body)).toEqual([["unknown", true, undefined]]);
});
