import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import {
  built,
  call,
  firstOf,
  type MatchContext,
  type Pattern,
  recursive,
  transfer,
  where,
} from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import {
  jvaultCancelStake,
  jvaultClaimRewards,
  jvaultReceiveJettons,
  jvaultRequestUpdateReferrer,
  jvaultRequestUpdateRewards,
  jvaultSendClaimedRewards,
  jvaultSetData,
  jvaultUnstakeJettonsShort,
  jvaultUpdateReferrer,
  jvaultUpdateRewards,
  jvaultUnstakeRequestBody as requestBody,
} from "./messages.ts";
import { findStakeAssets, listJettons } from "./stakeData.ts";

/**
 * Messages to the referrers of the staker, one after another: of several children only the first belongs to them. The
 * messages to the next referrer begin beside an update, or else behind it.
 */
const nextReferral: Pattern<CallNode> = recursive(() => referral, true);
const beside: Pattern<CallNode> = recursive(() => besideUpdate, true);
const behind: Pattern<CallNode> = recursive(() => behindUpdate, true);
const referrerUpdated = call(jvaultUpdateReferrer, { children: [behind] });
const steps: MatchContext = { children: [firstOf([referrerUpdated, nextReferral], { optional: true }), beside] };
const referral = call(jvaultRequestUpdateReferrer, { ...steps, optional: true });
const besideUpdate: Pattern<CallNode> = where(isBesideUpdate, steps);
const behindUpdate: Pattern<CallNode> = where(isBehindUpdate, steps);

function isReferral(node: TraceNode): node is CallNode {
  return isCall(node) && node.data.opcode === jvaultRequestUpdateReferrer.opcode;
}

function isReferrerUpdate(node: TraceNode | undefined): boolean {
  return isCall(node) && node.data.opcode === jvaultUpdateReferrer.opcode;
}

function isBesideUpdate(node: TraceNode): node is CallNode {
  return (
    isReferral(node) && isReferrerUpdate(node.previous?.next.find((each) => isReferral(each) || isReferrerUpdate(each)))
  );
}

function isBehindUpdate(node: TraceNode): node is CallNode {
  return isReferral(node) && !node.previous?.previous?.next.some(isReferral);
}

const updated = call(jvaultUpdateRewards);

interface Stake {
  readonly sender: Address;
  readonly senderWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly pool: Address;
  readonly stakeWallet: Address;
  readonly amount: bigint;
  readonly period: number;
}

export const jvaultStake = kind<Stake>({
  type: "jvault_stake",
  showsParts: true,
  parties: (s) => ({ source: s.sender, sourceSecondary: s.senderWallet, destination: s.pool }),
  details: (f) => ({
    period: f.number("Length of the stake, in seconds.", (s) => s.period),
    minted_stake_jettons: f.none("Amount of jettons that stand for the stake, in their smallest units."),
    stake_wallet: f.address("Address of the wallet of the stake.", (s) => s.stakeWallet),
    source: f.address("Address of the sender.", (s) => s.sender),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (s) => s.senderWallet,
    ),
    asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
    pool: f.address("Address of the pool.", (s) => s.pool),
    amount: f.amount("Staked amount, in the smallest units of the jetton.", (s) => s.amount),
  }),
});

const asked = call(jvaultRequestUpdateRewards, { children: [referral, updated] });
const cancelled = call(jvaultCancelStake, { child: built(jettonTransfer, { optional: true }) });
const stored = call(jvaultReceiveJettons, { child: firstOf([asked, cancelled]) });
const staked = built(jettonTransfer, { children: [stored, call(jvaultSetData, { optional: true })] });

export const jvaultStakeMatcher = matcher({
  name: "jvault_stake",
  pattern: staked,
  build: (match) => {
    const jettonTransfer = match.get(staked).data;
    const receipt = match.get(stored);
    // opcode:uint32 period:uint32
    const period = sliceOf(known(jettonTransfer.forwardPayload)).skip(32).loadUint(32);
    const data: Stake = {
      sender: jettonTransfer.sender,
      senderWallet: jettonTransfer.senderWallet,
      asset: jettonTransfer.asset,
      pool: sourceOf(receipt),
      stakeWallet: destinationOf(receipt),
      amount: jettonTransfer.sentAmount,
      period,
    };
    const failed = match.find(cancelled) !== undefined || receipt.failed || match.find(asked)?.failed === true;
    return made(jvaultStake, data, { failed });
  },
});

interface Unstake {
  readonly sender: Address;
  readonly stakeWallet: Address;
  readonly pool: Address;
  readonly amount: bigint;
  readonly exitCode: number | undefined;
  readonly asset: Address | undefined;
  readonly stakingAsset: Address | undefined;
}

function unstakeKind(type: string): NodeKind<Unstake> {
  return kind<Unstake>({
    type,
    showsParts: true,
    parties: (u) => ({ source: u.sender, sourceSecondary: u.stakeWallet, destination: u.pool }),
    details: (f) => ({
      source: f.address("Address of the sender.", (u) => u.sender),
      stake_wallet: f.address("Address of the wallet of the stake.", (u) => u.stakeWallet),
      pool: f.address("Address of the pool.", (u) => u.pool),
      amount: f.amount("Amount in the smallest units of the asset.", (u) => u.amount),
      exit_code: f.number("Exit code of the contract's run.", (u) => u.exitCode),
      asset: f.address("Address of the jetton's master; null for coins.", (u) => u.asset),
      staking_asset: f.address("Address of the master of the staked jetton.", (u) => u.stakingAsset),
    }),
  });
}

export const jvaultUnstake = unstakeKind("jvault_unstake");
export const jvaultUnstakeRequest = unstakeKind("jvault_unstake_request");

function exitCodeOf({ nodes }: TraceNode): number | undefined {
  return nodes[0]?.transaction.exitCode;
}

const returned = built(jettonTransfer);
const released = call(jvaultRequestUpdateRewards, {
  optional: true,
  children: [referral, transfer({ optional: true }), returned, updated],
});
const unstaked = call(jvaultUnstakeJettonsShort, { child: released });

export const jvaultUnstakeMatcher = matcher({
  name: "jvault_unstake",
  pattern: unstaked,
  build: (match, facts) => {
    const node = match.get(unstaked);
    const stakeWallet = destinationOf(node);
    const stake = findStakeAssets(stakeWallet, facts);
    if (stake?.pool === undefined || stake.asset === undefined) return undefined;
    const release = match.find(released);
    const back = match.find(returned)?.data;
    if (back !== undefined && back.asset !== stake.asset) return undefined;
    const isWhole = release !== undefined && back !== undefined;
    const data: Unstake = {
      sender: sourceOf(node),
      stakeWallet,
      pool: isWhole ? destinationOf(release) : stake.pool,
      amount: bodyOf(node, jvaultUnstakeJettonsShort).jettonsToUnstake,
      exitCode: isWhole ? undefined : exitCodeOf(node),
      asset: stake.asset,
      stakingAsset: stake.stakingAsset,
    };
    return made(jvaultUnstake, data);
  },
});

const confirmed = call(jvaultRequestUpdateRewards, { optional: true, children: [referral, updated] });
const requested = call(requestBody, { child: confirmed });

export const jvaultRequestMatcher = matcher({
  name: "jvault_unstake_request",
  pattern: requested,
  build: (match, facts) => {
    const node = match.get(requested);
    const stakeWallet = destinationOf(node);
    const stake = findStakeAssets(stakeWallet, facts);
    const update = match.find(confirmed);
    if (update === undefined && stake?.asset === undefined) return undefined;
    const data: Unstake = {
      sender: sourceOf(node),
      stakeWallet,
      pool: update === undefined ? known(stake?.pool) : destinationOf(update),
      amount: bodyOf(node, requestBody).jettonsToUnstake,
      exitCode: update === undefined ? exitCodeOf(node) : undefined,
      asset: stake?.asset,
      stakingAsset: stake?.stakingAsset,
    };
    return made(jvaultUnstakeRequest, data, { failed: update === undefined || node.failed || update.failed });
  },
});

interface Reward {
  readonly jetton: Address;
  readonly amount: bigint | undefined;
}

interface Claim {
  readonly sender: Address;
  readonly stakeWallet: Address;
  readonly pool: Address;
  readonly rewards: readonly Reward[];
}

const rewardDetails = details<Reward>((f) => ({
  jetton: f.address("Address of the jetton's master.", (r) => r.jetton),
  amount: f.amount("Amount in the smallest units of the asset.", (r) => r.amount),
}));

export const jvaultClaim = kind<Claim>({
  type: "jvault_claim",
  showsParts: true,
  parties: (c) => ({ source: c.sender, sourceSecondary: c.stakeWallet, destination: c.pool }),
  details: (f) => ({
    claimed_rewards: f.list("Rewards, by jetton.", rewardDetails, (c) => c.rewards),
    source: f.address("Address of the sender.", (c) => c.sender),
    stake_wallet: f.address("Address of the wallet of the stake.", (c) => c.stakeWallet),
    pool: f.address("Address of the pool.", (c) => c.pool),
  }),
});

const withdrawn = built(jettonTransfer);
const claimSent = call(jvaultSendClaimedRewards, { children: [withdrawn, updated] });
const claimed = call(jvaultClaimRewards, { child: claimSent });

export const jvaultClaimMatcher = matcher({
  name: "jvault_claim",
  pattern: claimed,
  build: (match) => {
    const node = match.get(claimed);
    const { sentAmount: amount } = match.get(withdrawn).data;
    const jettons = listJettons(bodyOf(node, jvaultClaimRewards).jettonsToClaim);
    const data: Claim = {
      sender: sourceOf(node),
      stakeWallet: destinationOf(node),
      pool: destinationOf(match.get(claimSent)),
      // Only one transfer is read, so only the first amount is known.
      rewards: jettons.map((jetton, index) => ({ jetton, amount: index === 0 ? amount : undefined })),
    };
    return made(jvaultClaim, data);
  },
});
