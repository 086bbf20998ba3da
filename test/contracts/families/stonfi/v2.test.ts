import { expect, it } from "vitest";
import { makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { parseAddress } from "../../../../src/model/Address.ts";
import { account, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [user, router, pool, nextRouter, nextPool] = ["user", "router", "pool", "next router", "next pool"].map(
  account,
) as [never, never, never, never, never];
const [givenWallet, ptonWallet, jettonWallet] = ["given", "pton", "target"].map(account) as [never, never, never];
const pton = parseAddress("0:671963027f7f85659ab55b821671688601cdcf1ee674fc7fbbb1a776a18d34a3").address;
const target = account("target jetton");
const facts = makeFacts({
  jettonWallets: new Map([
    [ptonWallet, { owner: router, jetton: pton }],
    [jettonWallet, { owner: nextRouter, jetton: target }],
  ]),
});

function start(opcode: number): Builder {
  return beginCell().storeUint(opcode, 32).storeBigUint(7n, 64);
}

function storeUsers(builder: Builder, count: number): Builder {
  return count === 0 ? builder : storeUsers(storeAddress(builder, user), count - 1);
}

/** The wallet of the wanted jetton, who gets refunds and what is left, the deadline and the swap itself. */
function order(wallet: never): Cell {
  const swap = storeAddress(beginCell().storeCoins(1n), user).storeCoins(0n).storeBit(false).storeCoins(0n);
  return storeUsers(storeAddress(beginCell().storeUint(0x6664de2a, 32), wallet), 2)
    .storeBigUint(0n, 64)
    .storeRef(storeAddress(swap.storeBit(false).storeUint(0, 16), user).cell())
    .cell();
}

function swap(wallet: never): Cell {
  return storeAddress(start(0x6664de2a), user).storeCoins(9n).storeCoins(0n).storeRef(order(wallet)).cell();
}

function payment(wallet: never, exitCode: number): Cell {
  const amounts = storeAddress(beginCell().storeCoins(0n).storeCoins(8n), wallet).storeCoins(0n);
  return storeUsers(start(0x657b54f5), 3)
    .storeUint(exitCode, 32)
    .storeBit(false)
    .storeRef(storeAddress(amounts, givenWallet).cell())
    .cell();
}

/** TON that comes or continues with an order. */
function wrapped(wallet: never): Cell {
  return storeAddress(start(0x01f3835d).storeCoins(8n), user).storeBit(true).storeRef(order(wallet)).cell();
}

function transfer(to: never): Cell {
  return storeUsers(storeAddress(start(0x0f8a7ea5).storeCoins(8n), to), 1)
    .storeBit(false)
    .storeCoins(1n)
    .storeBit(false)
    .cell();
}

/** A swap whose payment in TON continues to the next router with an order; `last` is what the next router causes. */
function passOn(last: readonly Step[]): Step {
  const notified: Step = { to: nextRouter, body: query(0x7362d09c), causes: last };
  const unwrapped: Step = { to: nextRouter, body: wrapped(jettonWallet), causes: [notified] };
  const moved: Step = { to: ptonWallet, body: transfer(nextRouter), causes: [unwrapped] };
  const paid: Step = { to: router, body: payment(ptonWallet, 0xc64370e5), causes: [moved] };
  const swapped: Step = { to: pool, body: swap(ptonWallet), causes: [paid] };
  const arrived: Step = { to: router, body: query(0x7362d09c), causes: [swapped] };
  return { to: givenWallet, body: wrapped(ptonWallet), causes: [arrived] };
}

function listTypes(last: readonly Step[]): readonly (readonly [string, number])[] {
  const { actions } = classify(makeTestTrace(user, [passOn(last)]), facts);
  return actions.map(({ type, transactions }) => [type, new Set(transactions).size]);
}

/** All transactions up to the notice of the next router, and the one of the user who began. */
const upToNotice = 8;

it("a swap contains the TON and the notice for a next swap that never came", () => {
  expect(listTypes([])).toEqual([["jetton_swap", upToNotice]]);
});

it("a swap contains the TON and the notice for a next swap that nothing pays", () => {
  const failed: Step = { to: nextPool, body: swap(jettonWallet), aborted: true };
  expect(listTypes([failed])).toEqual([
    ["jetton_swap", upToNotice],
    ["call_contract", 2],
  ]);
});

it("a swap contains the next one when it completes", () => {
  const arrival = storeUsers(start(0x178d4519).storeCoins(8n), 2).storeCoins(0n).storeBit(false).cell();
  const userWallet = account("user wallet");
  const moved: Step = { to: jettonWallet, body: transfer(user), causes: [{ to: userWallet, body: arrival }] };
  const paid: Step = { to: nextRouter, body: payment(jettonWallet, 0xc64370e5), causes: [moved] };
  const swapped: Step = { to: nextPool, body: swap(jettonWallet), causes: [paid] };
  const withUser = makeFacts({
    jettonWallets: new Map([
      [ptonWallet, { owner: router, jetton: pton }],
      [jettonWallet, { owner: nextRouter, jetton: target }],
      [userWallet, { owner: user, jetton: target }],
    ]),
  });
  const { actions } = classify(makeTestTrace(user, [passOn([swapped])]), withUser);
  expect(actions.map(({ type, transactions }) => [type, new Set(transactions).size])).toEqual([["jetton_swap", 12]]);
});
