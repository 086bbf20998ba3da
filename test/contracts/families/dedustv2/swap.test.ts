import { expect, it } from "vitest";
import type { FactMaps } from "../../../../kit/contracts/corpusFacts.ts";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { bodyWith, describeActions, raw, sendJettons } from "../../../kit/contracts/shownActions.ts";
import { account, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [user, pool, otherPool, jetton] = [account("user"), account("pool"), account("other pool"), account("jetton")];
const own = { owner: user, wallet: account("wallet of the user") };
const pools = { owner: pool, wallet: account("wallet of the pool") };
const others = { owner: otherPool, wallet: account("wallet of the other pool") };
const jettonWallets = new Map([own, pools, others].map(({ owner, wallet }) => [wallet, { owner, jetton }]));
const facts: FactMaps = { jettonWallets };

/** A swap order whose further pools each have a least amount. */
function swapOrder(minOut: bigint, steps: readonly bigint[] = []): Cell {
  const next = steps.reduceRight<Cell | undefined>((after, least) => {
    const step = storeAddress(beginCell(), otherPool).storeCoins(least).storeUint(0, 40);
    return (after === undefined ? step.storeBit(false) : step.storeBit(true).storeRef(after)).cell();
  }, undefined);
  const order = beginCell().storeUint(0xc442500f, 32).storeCoins(minOut).storeUint(0, 40);
  return (next === undefined ? order.storeBit(false) : order.storeBit(true).storeRef(next))
    .storeBit(false)
    .storeBit(false)
    .cell();
}

const withJettons = (order: Cell) => beginCell().storeUint(0xcbc33949, 32).storeRef(order).storeRef(order).cell();
const withTon = (amount: bigint, order: Cell) =>
  bodyWith(0xa5a7cbf8, (b) => b.storeCoins(amount).storeRef(order).storeRef(order));
const payout = (amount: bigint, exitCode = 0): Step => ({
  to: user,
  body: bodyWith(0x3216ca09, (b) => b.storeCoins(amount).storeUint(exitCode, 32).storeBit(false)),
});
/** The parties of a report, and two cells that nobody reads. */
const report = (amountIn: bigint, amountOut: bigint): Step => {
  const start = beginCell().storeUint(0x78e79ba4, 32).storeBit(true).storeCoins(amountIn).storeCoins(amountOut);
  return { body: storeAddress(storeAddress(start, user), user).storeRef(emptyCell).storeRef(emptyCell).cell() };
};
const excess: Step = { to: user, body: query(0xd53276db) };

const coins = { asset: null, source_jetton_wallet: null, destination_jetton_wallet: null };
const jettons = (from: typeof own, to: typeof own) => ({
  asset: raw(jetton),
  source: raw(from.owner),
  destination: raw(to.owner),
  source_jetton_wallet: raw(from.wallet),
  destination_jetton_wallet: raw(to.wallet),
});
const swap = (success: boolean, details: Readonly<Record<string, unknown>>) => ({
  type: "jetton_swap",
  success,
  ancestors: [],
  details: { dex: "dedust_v2", sender: raw(user), peer_swaps: [], ...details },
});
const describe = (...steps: readonly Step[]) => describeActions(makeTestTrace(user, steps), facts);

it("a swap of TON for jettons takes the amounts of the pool's report", () => {
  const paid = sendJettons({ from: pools, to: own, amount: 40n });
  const step = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(9n, 41n), paid, excess] };
  expect(describe(step)).toEqual([
    swap(true, {
      asset_in: null,
      asset_out: raw(jetton),
      dex_incoming_transfer: { ...coins, source: raw(user), destination: raw(pool), amount: "9" },
      dex_outgoing_transfer: { ...jettons(pools, own), amount: "41" },
      min_out_amount: "39",
    }),
  ]);
});

it("a route through two pools has a swap for each, and the least amount of its last step", () => {
  const last = sendJettons({
    from: pools,
    to: others,
    amount: 40n,
    payload: withJettons(swapOrder(5n)),
    causes: [report(40n, 6n), payout(6n), excess],
  });
  const causes = [report(10n, 40n), last, payout(1n)];
  const [route, fee] = describe({ to: pool, body: withTon(10n, swapOrder(39n, [38n, 5n])), causes });
  expect(route).toEqual(
    swap(true, {
      asset_in: null,
      asset_out: null,
      dex_incoming_transfer: { ...coins, source: raw(user), destination: raw(pool), amount: "10" },
      dex_outgoing_transfer: { ...coins, source: raw(otherPool), destination: raw(user), amount: "6" },
      peer_swaps: [
        { asset_in: null, amount_in: "10", asset_out: raw(jetton), amount_out: "40" },
        { asset_in: raw(jetton), amount_in: "40", asset_out: null, amount_out: "6" },
      ],
      min_out_amount: "5",
    }),
  );
  expect(fee).toMatchObject({ type: "call_contract", details: { opcode: "0x3216ca09" } });
});

it("a payment before the message to a further pool ends the route", () => {
  const next = { to: otherPool, body: withTon(40n, swapOrder(5n)), causes: [report(40n, 6n), payout(6n)] };
  const causes = [report(10n, 40n), payout(1n), next];
  const shown = describe({ to: pool, body: withTon(10n, swapOrder(39n)), causes });
  expect(shown.map(({ type, details }) => [type, details.sender, details.peer_swaps])).toEqual([
    ["jetton_swap", raw(user), []],
    ["jetton_swap", raw(pool), []],
  ]);
});

it("a route whose second pool returns the asset is a refused swap of that pool, not a done one", () => {
  const refund = sendJettons({ from: others, to: pools, amount: 40n });
  const passedOn = sendJettons({
    from: pools,
    to: others,
    amount: 40n,
    payload: withJettons(swapOrder(5n)),
    causes: [refund],
  });
  const actions = describe({ to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(10n, 40n), passedOn] });
  expect(actions.map(({ type, success }) => [type, success])).toEqual([
    ["call_contract", true],
    ["jetton_swap", false],
  ]);
});

const cutPayout: Step = { to: user, body: query(0x3216ca09) };
const paidInTon = {
  asset_in: null,
  asset_out: null,
  dex_incoming_transfer: { ...coins, source: raw(user), destination: raw(pool), amount: "10" },
  dex_outgoing_transfer: { ...coins, source: raw(pool), destination: raw(user), amount: "40" },
  min_out_amount: "39",
};

it("a swap needs no more of the payment than its parties", () => {
  const step = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(10n, 40n), cutPayout] };
  expect(describe(step)).toEqual([swap(true, paidInTon)]);
});

it("an external order has no sender, and a payment to an external address no receiver", () => {
  const { to: _, ...unsent } = payout(40n);
  const { dex_incoming_transfer: given, dex_outgoing_transfer: paid } = paidInTon;
  const trace = makeTestTrace(pool, [report(10n, 40n), unsent], withTon(10n, swapOrder(39n)));
  expect(describeActions(trace, facts)).toEqual([
    swap(true, {
      ...paidInTon,
      sender: null,
      dex_incoming_transfer: { ...given, source: null },
      dex_outgoing_transfer: { ...paid, destination: null },
    }),
  ]);
});

it("a swap of a transaction that ends with an exit code failed", () => {
  const step = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(10n, 40n), payout(40n)], exitCode: 1 };
  expect(describe(step)).toEqual([swap(false, paidInTon)]);
});

/** An order whose further step is cut, and one that is no order at all. */
const brokenRoute = beginCell()
  .storeUint(0xc442500f, 32)
  .storeCoins(39n)
  .storeUint(0, 40)
  .storeBit(true)
  .storeRef(emptyCell)
  .storeBit(false)
  .storeBit(false)
  .cell();

it("a swap whose route cannot be read has no least amount", () => {
  const causes = [report(10n, 40n), payout(40n)];
  expect(describe({ to: pool, body: withTon(10n, brokenRoute), causes })).toEqual([
    swap(true, { ...paidInTon, min_out_amount: null }),
  ]);
  const given = { asset_in: raw(jetton), dex_incoming_transfer: { ...jettons(own, pools), amount: "10" } };
  expect(describe(sendJettons({ from: own, to: pools, amount: 10n, payload: query(1), causes }))).toEqual([
    swap(true, { ...paidInTon, ...given, min_out_amount: null }),
  ]);
});

it("a further pool is known by its report, not by the order that comes with TON", () => {
  const next = { to: otherPool, body: query(0xa5a7cbf8), causes: [report(40n, 6n), payout(6n)] };
  const [route] = describe({ to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(10n, 40n), next] });
  expect(route).toMatchObject({
    type: "jetton_swap",
    details: {
      dex_outgoing_transfer: { source: raw(otherPool), amount: "6" },
      peer_swaps: [{ amount_in: "10" }, { amount_in: "40" }],
    },
  });
});

const bounce: Step = { to: pool, body: query(0xffffffff) };

it("a swap takes in the bounces of its messages, and the excess of its payment", () => {
  const paid = { ...payout(40n), causes: [bounce, excess] };
  const step = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [report(10n, 40n), paid] };
  expect(describe(step)).toEqual([swap(true, paidInTon)]);
  const back = { ...payout(10n, 65), causes: [bounce, excess] };
  const refused = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [back] };
  expect(describe(refused)).toEqual([swap(false, refusedDetails)]);
});

const refusedDetails = {
  asset_in: null,
  asset_out: null,
  dex_incoming_transfer: { ...coins, source: raw(user), destination: raw(pool), amount: "10" },
  dex_outgoing_transfer: { ...coins, source: raw(pool), destination: raw(user), amount: "0" },
  min_out_amount: "39",
};

it("a refused swap of TON comes back with a reason; the other asset is that of a known pool", () => {
  const step = { to: pool, body: withTon(10n, swapOrder(39n)), causes: [payout(10n, 65), excess] };
  expect(describe(step)).toEqual([swap(false, refusedDetails)]);
  const known: FactMaps = { dedustPools: new Map([[pool, { assets: [undefined, jetton] }]]) };
  const outgoing = { ...refusedDetails.dex_outgoing_transfer, asset: raw(jetton) };
  expect(describeActions(makeTestTrace(user, [step]), known)).toEqual([
    swap(false, { ...refusedDetails, asset_out: raw(jetton), dex_outgoing_transfer: outgoing }),
  ]);
});

it("a refused swap of TON needs no readable route; the first payment of the pool must be the refund", () => {
  const route = { to: pool, body: withTon(10n, brokenRoute), causes: [payout(10n, 65)] };
  expect(describe(route)).toEqual([swap(false, { ...refusedDetails, min_out_amount: null })]);
  const order = withTon(10n, swapOrder(39n));
  const types = (...causes: readonly Step[]) => describe({ to: pool, body: order, causes }).map(({ type }) => type);
  expect(types(payout(10n, 65), payout(1n))).toEqual(["jetton_swap", "call_contract"]);
  expect(types(payout(1n), payout(10n, 65))).toEqual(["call_contract", "call_contract", "call_contract"]);
});

it("a refused swap of jettons comes back in the same jetton, to the sender alone", () => {
  const give = (causes: readonly Step[]) =>
    sendJettons({ from: own, to: pools, amount: 10n, payload: withJettons(swapOrder(39n)), causes });
  expect(describe(give([sendJettons({ from: pools, to: own, amount: 10n }), excess]))).toEqual([
    swap(false, {
      ...refusedDetails,
      asset_in: raw(jetton),
      dex_incoming_transfer: { ...jettons(own, pools), amount: "10" },
    }),
  ]);
  // A pool of one asset has no other.
  const alone: FactMaps = { ...facts, dedustPools: new Map([[pool, { assets: [jetton, jetton] }]]) };
  const back = give([sendJettons({ from: pools, to: own, amount: 10n })]);
  expect(describeActions(makeTestTrace(user, [back]), alone)[0]?.details.asset_out).toBeNull();
  const types = (...steps: readonly Step[]) => describe(...steps).map(({ type }) => type);
  expect(types(give([sendJettons({ from: pools, to: others, amount: 10n })]))).toEqual([
    "jetton_transfer",
    "jetton_transfer",
  ]);
});

it.each([
  ["a payment without a reason", withTon(10n, swapOrder(39n)), [payout(10n)]],
  ["no order of a swap", withTon(10n, query(1)), [report(10n, 40n), payout(4n)]],
  ["a cut report", withTon(10n, swapOrder(39n)), [{ body: query(0x78e79ba4) }, payout(4n, 1)]],
  ["no payment", withTon(10n, swapOrder(39n)), [report(10n, 40n)]],
] as const)("%s leaves the plain calls", (_, body, causes) => {
  const types = describe({ to: pool, body, causes }).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(["call_contract"]));
});
