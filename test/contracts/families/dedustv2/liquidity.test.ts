import { expect, it } from "vitest";
import { type FactMaps, makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import type { Address } from "../../../../src/model/Address.ts";
import { bodyWith, describeActions, raw, sendJettons } from "../../../kit/contracts/shownActions.ts";
import { account, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [user, pool, jetton, collecting] = [account("user"), account("pool"), account("jetton"), account("deposit")];
const [position, stranger] = [account("position"), account("stranger")];
const own = { owner: user, wallet: account("wallet of the user") };
const pools = { owner: pool, wallet: account("wallet of the pool") };
const strangers = { owner: stranger, wallet: account("wallet of the stranger") };
const jettonWallets = new Map([own, pools, strangers].map(({ owner, wallet }) => [wallet, { owner, jetton }]));
const facts: FactMaps = { jettonWallets };
const describe = (...steps: readonly Step[]) => describeActions(makeTestTrace(user, steps), facts);
const types = (...steps: readonly Step[]) => describe(...steps).map(({ type, success }) => [type, success]);

const excess: Step = { to: user, body: query(0xd53276db) };
const payout = (amount: bigint, to: Address = user): Step => ({
  to,
  body: bodyWith(0x3216ca09, (b) => b.storeCoins(amount).storeUint(0, 32).storeBit(false)),
});

/** A log of three amounts. */
function log(opcode: number, amounts: readonly bigint[]): Step {
  const start = amounts.reduce((b, amount) => b.storeCoins(amount), beginCell().storeUint(opcode, 32));
  return { body: storeAddress(storeAddress(start, user), user).storeRef(emptyCell).cell() };
}

const order = beginCell()
  .storeUint(0xc9a015da, 32)
  .storeCoins(100n)
  .storeCoins(200n)
  .storeCoins(1n)
  .storeUint(0, 16)
  .cell();
const payJetton = beginCell().storeUint(0xcbc33949, 32).storeRef(order).storeRef(emptyCell).cell();
const credit = (isX: boolean, amount: bigint, causes: readonly Step[]): Step => ({
  to: collecting,
  body: bodyWith(0xdc5ddba1, (b) => b.storeBit(isX).storeCoins(amount)),
  causes,
});
/** TON is the first asset of the pool, the jetton the second. */
const giveTon = (causes: readonly Step[]): Step => ({
  to: pool,
  body: bodyWith(0xa5a7cbf8, (b) => b.storeCoins(100n).storeRef(order).storeRef(emptyCell)),
  causes: [credit(true, 100n, causes)],
});
const giveJettons = (causes: readonly Step[]) =>
  sendJettons({ from: own, to: pools, amount: 200n, payload: payJetton, causes: [credit(false, 200n, causes)] });
const join = (causes: readonly Step[]): Step => ({
  to: pool,
  body: bodyWith(0x25251ee0, (b) => storeAddress(b.storeRef(emptyCell).storeCoins(99n).storeCoins(199n), user)),
  causes,
});
const added = log(0x35df2e12, [98n, 198n, 5n]);
const credited: Step = { to: position, body: query(0x855afcbd), causes: [excess] };

const nothing = {
  user_jetton_wallet_1: null,
  target_asset_1: null,
  tick_lower: null,
  tick_upper: null,
  nft_index: null,
  nft_address: null,
};
const deposit = (success: boolean, details: Readonly<Record<string, unknown>>) => ({
  type: "dex_deposit_liquidity",
  success,
  ancestors: [],
  details: {
    ...nothing,
    dex: "dedust_v2",
    asset_1: null,
    asset_2: raw(jetton),
    user_jetton_wallet_2: raw(own.wallet),
    source: raw(user),
    pool: raw(pool),
    destination_liquidity: raw(collecting),
    target_asset_2: raw(jetton),
    target_amount_1: "100",
    target_amount_2: "200",
    vault_excesses: [],
    ...details,
  },
});
const whole = { amount_1: "98", amount_2: "198", lp_tokens_minted: "5" };
const partialTon = deposit(true, {
  amount_1: "100",
  amount_2: null,
  asset_2: null,
  user_jetton_wallet_2: null,
  lp_tokens_minted: null,
  target_asset_2: null,
  target_amount_1: null,
  target_amount_2: null,
});

it("a side that waits is a deposit of its own", () => {
  expect(describe(giveTon([excess]))).toEqual([partialTon]);
  expect(describe(giveTon([]))).toEqual([partialTon]);
});

it("a side that is external, or that no contract collects, is a deposit too", () => {
  const { body, causes = [] } = giveTon([excess]);
  const { source: _, ...rest } = partialTon.details;
  expect(describeActions(makeTestTrace(pool, causes, body), facts)).toEqual([
    { ...partialTon, details: { ...rest, source: null } },
  ]);
  const { to: __, ...unsent } = credit(true, 100n, []);
  expect(describe({ ...giveTon([]), causes: [unsent] })).toEqual([
    { ...partialTon, details: { ...partialTon.details, destination_liquidity: null } },
  ]);
});

it("the side that completes a deposit knows both amounts, but only its own asset", () => {
  expect(describe(giveJettons([join([added, credited])]))).toEqual([deposit(true, whole)]);
  expect(describe(giveTon([join([added])]))).toEqual([
    deposit(true, { ...whole, asset_2: null, user_jetton_wallet_2: null, target_asset_2: null }),
  ]);
});

it("both sides in one trace are one deposit, in either order", () => {
  expect(describe(giveTon([excess]), giveJettons([join([added, credited])]))).toEqual([deposit(true, whole)]);
  expect(describe(giveJettons([excess]), giveTon([join([added, credited])]))).toEqual([deposit(true, whole)]);
});

it("two parts that bring the same side leave the other unknown", () => {
  const again = { to: pool, body: bodyWith(0xa5a7cbf8, (b) => b.storeCoins(1n).storeRef(order).storeRef(emptyCell)) };
  const ton = { ...again, causes: [credit(false, 1n, [join([added, credited])])] };
  const unknown = { asset_2: null, user_jetton_wallet_2: null, target_asset_2: null };
  expect(describe(giveJettons([excess]), ton)).toEqual([deposit(true, { ...whole, ...unknown })]);
});

it("a deposit begins with the transaction that sent the part that waited", () => {
  const inside = { to: stranger, body: query(1), causes: [giveTon([excess])] };
  const { transactions, ...trace } = makeTestTrace(user, [inside, giveJettons([join([added, credited])])]);
  const [, action] = classify({ ...trace, transactions }, makeFacts(facts)).actions;
  expect(action?.startLt).toBe(transactions[1]?.inMessage?.createdLt);
});

it("the wanted amounts of an order that cannot be read are unknown", () => {
  const cut = bodyWith(0xa5a7cbf8, (b) => b.storeCoins(100n).storeRef(query(1)).storeRef(emptyCell));
  const given = { to: pool, body: cut, causes: [credit(true, 100n, [join([added, credited])])] };
  const unknown = { asset_2: null, user_jetton_wallet_2: null, target_asset_2: null };
  const wanted = { target_amount_1: null, target_amount_2: null };
  expect(describe(given)).toEqual([deposit(true, { ...whole, ...unknown, ...wanted })]);
});

it("a deposit takes in the bounces of its messages, and the excess of its jettons", () => {
  const bounce: Step = { to: pool, body: query(0xffffffff) };
  const refund = sendJettons({ from: pools, to: own, amount: 2n, payload: query(1), causes: [excess, bounce] });
  const credited = credit(false, 200n, [join([added, refund]), bounce]);
  const given = sendJettons({ from: own, to: pools, amount: 200n, payload: payJetton, causes: [credited, excess] });
  expect(describe(given)).toEqual([deposit(true, { ...whole, vault_excesses: [{ asset: raw(jetton), amount: "2" }] })]);
});

it("more than two sides of one contract stay separate", () => {
  const shown = types(giveTon([excess]), giveTon([excess]), giveJettons([join([added])]));
  expect(shown).toEqual(Array.from({ length: 3 }, () => ["dex_deposit_liquidity", true]));
});

it("what is left over goes back to the initiator: jettons before TON", () => {
  const refunds = [payout(3n), sendJettons({ from: pools, to: own, amount: 2n })];
  const excesses = [
    { asset: raw(jetton), amount: "2" },
    { asset: null, amount: "3" },
  ];
  expect(describe(giveJettons([join([added, ...refunds])]))).toEqual([
    deposit(true, { ...whole, vault_excesses: excesses }),
  ]);
});

it("a rejected deposit returns all it got", () => {
  const refunds = [sendJettons({ from: pools, to: own, amount: 199n }), payout(99n), excess];
  const excesses = [
    { asset: raw(jetton), amount: "199" },
    { asset: null, amount: "99" },
  ];
  const rejected = { amount_1: "99", amount_2: "199", lp_tokens_minted: null, vault_excesses: excesses };
  expect(describe(giveTon([excess]), giveJettons([join(refunds)]))).toEqual([deposit(false, rejected)]);
});

it.each([
  ["left over", "call_contract", [added, payout(3n, stranger)]],
  ["left over jettons", "jetton_transfer", [added, sendJettons({ from: pools, to: strangers, amount: 2n })]],
  ["rejected", "call_contract", [payout(99n, stranger)]],
])("a deposit of which what is %s goes to somebody else is not completed", (_, returned, causes) => {
  expect(types(giveTon([join(causes)]))).toEqual([
    ["dex_deposit_liquidity", true],
    ["call_contract", true],
    [returned, true],
  ]);
});

it("a join without report and refunds is not a deposit of its own", () => {
  expect(types(giveTon([join([])]))).toEqual([
    ["dex_deposit_liquidity", true],
    ["call_contract", true],
  ]);
});

const exit = (causes: readonly Step[], claimsFees = false): Step => ({
  to: pool,
  body: bodyWith(0x20b5ef89, (b) =>
    b.storeCoins(9n).storeCoins(1n).storeCoins(1n).storeBit(claimsFees).storeRef(emptyCell),
  ),
  causes: [{ to: position, body: query(0xbc1531a9), causes: [{ to: pool, body: query(0xf6f6a3aa), causes }] }],
});
const withdrawal = (success: boolean, details: Readonly<Record<string, unknown>>) => ({
  type: "dex_withdraw_liquidity",
  success,
  ancestors: [],
  details: {
    dex: "dedust_v2",
    asset_1: null,
    user_jetton_wallet_1: null,
    is_refund: null,
    source: raw(user),
    pool: raw(pool),
    destination_liquidity: raw(pool),
    burnt_nft_index: null,
    burnt_nft_address: null,
    tick_lower: null,
    tick_upper: null,
    ...details,
  },
});

it("a withdrawal has its payments in order, and leaves the excess alone", () => {
  const paid = [payout(4n), sendJettons({ from: pools, to: own, amount: 5n })];
  const [action, rest] = describe(exit([log(0xc0d77b54, [8n, 4n, 5n]), ...paid, excess]));
  expect(action).toEqual(
    withdrawal(true, {
      amount_1: "4",
      amount_2: "5",
      asset_2: raw(jetton),
      user_jetton_wallet_2: raw(own.wallet),
      lp_tokens_burnt: "8",
    }),
  );
  expect(rest).toMatchObject({ type: "call_contract", details: { opcode: "0xd53276db" } });
});

it("a withdrawal without report failed, with the liquidity that was asked for", () => {
  const absent = { amount_1: null, amount_2: null, asset_2: null, user_jetton_wallet_2: null };
  expect(describe(exit([]))).toEqual([withdrawal(false, { ...absent, lp_tokens_burnt: "9" })]);
});

it("a withdrawal that also claims fees is left as calls", () => {
  expect(types(exit([log(0xc0d77b54, [8n, 4n, 5n])], true))).toEqual(
    Array.from({ length: 3 }, () => ["call_contract", true]),
  );
});
