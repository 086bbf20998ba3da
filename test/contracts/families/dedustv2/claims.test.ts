import { expect, it } from "vitest";
import type { FactMaps } from "../../../../kit/contracts/corpusFacts.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { isVisible, supportedTypes } from "../../../../src/contracts/visibility.ts";
import { bodyWith, describeActions, raw, sendJettons } from "../../../kit/contracts/shownActions.ts";
import { account, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [user, pool, position, jetton] = [account("user"), account("pool"), account("position"), account("jetton")];
const own = { owner: user, wallet: account("wallet of the user") };
const pools = { owner: pool, wallet: account("wallet of the pool") };
const facts: FactMaps = {
  jettonWallets: new Map([own, pools].map(({ owner, wallet }) => [wallet, { owner, jetton }])),
};
const describe = (...steps: readonly Step[]) => describeActions(makeTestTrace(user, steps), facts);

const excess: Step = { to: user, body: query(0xd53276db) };
const payout = (amount: bigint): Step => ({
  to: user,
  body: bodyWith(0x3216ca09, (b) => b.storeCoins(amount).storeUint(0, 32).storeBit(false)),
});
const paidJettons = (amount: bigint) => sendJettons({ from: pools, to: own, amount });

function claimFees(x: bigint, y: bigint, causes: readonly Step[]): Step {
  const answer = bodyWith(0x29ff1bcf, (b) => storeAddress(storeAddress(b.storeCoins(x).storeCoins(y), user), user));
  const inner = { to: position, body: query(0x25f19752), causes: [{ to: pool, body: answer, causes }] };
  return { to: pool, body: query(0x5652f1df), causes: [inner] };
}

const parties = { dex: "dedust_v2", source: raw(user), pool: raw(pool), position: raw(position) };
const none = { asset_1: null, user_jetton_wallet_1: null, dex_jetton_wallet_1: null };
const noneSecond = { asset_2: null, user_jetton_wallet_2: null, dex_jetton_wallet_2: null };

it("fees are assigned to the assets by their amounts", () => {
  const [claim, ...parts] = describe(claimFees(3n, 4n, [paidJettons(4n), payout(3n), excess]));
  const second = {
    asset_2: raw(jetton),
    user_jetton_wallet_2: raw(own.wallet),
    dex_jetton_wallet_2: raw(pools.wallet),
  };
  expect(claim).toEqual({
    type: "dedust_v2_claim_fees",
    success: true,
    ancestors: [],
    details: { ...parties, ...none, ...second, amount_1: "3", amount_2: "4" },
  });
  // Callers that do not know the claim see its parts.
  expect(parts.map(({ type, ancestors }) => [type, ancestors])).toEqual(
    ["call_contract", "call_contract", "call_contract", "jetton_transfer", "call_contract", "call_contract"].map(
      (type) => [type, ["dedust_v2_claim_fees"]],
    ),
  );
  const all = [claim, ...parts].flatMap((action) => action ?? []);
  const seen = (set: string) => all.filter((action) => isVisible(action, supportedTypes([set]))).length;
  expect([seen("v4"), seen("v5"), seen("latest")]).toEqual([6, 1, 1]);
});

it("equal fees fill the first asset first; what is not paid has no asset", () => {
  const [claim] = describe(claimFees(3n, 3n, [paidJettons(3n)]));
  const first = {
    asset_1: raw(jetton),
    user_jetton_wallet_1: raw(own.wallet),
    dex_jetton_wallet_1: raw(pools.wallet),
  };
  expect(claim?.details).toEqual({ ...parties, ...first, ...noneSecond, amount_1: "3", amount_2: "3" });
  expect(describe(claimFees(0n, 0n, []))[0]?.details).toEqual({
    ...parties,
    ...none,
    ...noneSecond,
    amount_1: "0",
    amount_2: "0",
  });
});

const rewardClaim = bodyWith(0x909fdb65, (b) => storeAddress(b.storeUint(1, 2), user));

function claimReward(amount: bigint, causes: readonly Step[], body = rewardClaim): Step {
  const answer = bodyWith(0x9e17fbbe, (b) =>
    storeAddress(storeAddress(b.storeCoins(amount).storeUint(1, 2), user), user),
  );
  const inner = { to: position, body: query(0x2e0cccba), causes: [{ to: pool, body: answer, causes }] };
  return { to: pool, body, causes: [inner] };
}

it("a reward has the amount that the position names, and the asset of its payment", () => {
  const reward = (details: Readonly<Record<string, unknown>>) => ({
    type: "dedust_v2_claim_reward",
    success: true,
    ancestors: [],
    details: { ...parties, amount: "8", ...details },
  });
  expect(describe(claimReward(8n, [paidJettons(8n), excess]))[0]).toEqual(
    reward({ asset: raw(jetton), user_jetton_wallet: raw(own.wallet), dex_jetton_wallet: raw(pools.wallet) }),
  );
  expect(describe(claimReward(8n, []))[0]).toEqual(
    reward({ asset: null, user_jetton_wallet: null, dex_jetton_wallet: null }),
  );
});

it("an external claim has no source", () => {
  const { body, causes = [] } = claimReward(8n, []);
  const [claim] = describeActions(makeTestTrace(pool, causes, body), facts);
  expect(claim).toMatchObject({ type: "dedust_v2_claim_reward", details: { ...parties, source: null } });
});

it("a reward whose claim is cut is left as calls", () => {
  const types = describe(claimReward(8n, [], query(0x909fdb65))).map(({ type }) => type);
  expect(types).toEqual(["call_contract", "call_contract", "call_contract"]);
});

it("a claim takes in the bounces of its messages, and the excess of jettons that it pays", () => {
  const bounce: Step = { to: pool, body: query(0xffffffff) };
  const paid = sendJettons({ from: pools, to: own, amount: 8n, payload: query(1), causes: [excess] });
  const shown = describe(claimReward(8n, [paid, { ...excess, causes: [bounce] }]));
  expect(shown.map(({ ancestors }) => ancestors)).toEqual([
    [],
    ...shown.slice(1).map(() => ["dedust_v2_claim_reward"]),
  ]);
});

it("the account that excess goes to may be an external one", () => {
  const answer = bodyWith(0x29ff1bcf, (b) =>
    storeAddress(b.storeCoins(3n).storeCoins(4n), user).storeUint(0b01, 2).storeUint(0, 9),
  );
  const inner = { to: position, body: query(0x25f19752), causes: [{ to: pool, body: answer }] };
  const [claim] = describe({ to: pool, body: query(0x5652f1df), causes: [inner] });
  expect(claim?.details).toMatchObject({ amount_1: "3", amount_2: "4" });
});

it("a claim that the position does not answer readably is left as calls", () => {
  const cut = { to: position, body: query(0x25f19752), causes: [{ to: pool, body: query(0x29ff1bcf) }] };
  const types = describe({ to: pool, body: query(0x5652f1df), causes: [cut] }).map(({ type }) => type);
  expect(types).toEqual(["call_contract", "call_contract", "call_contract"]);
});
