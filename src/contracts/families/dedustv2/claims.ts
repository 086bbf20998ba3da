import type { Address } from "../../../model/Address.ts";
import type { DetailFieldMakers } from "../../engine/details.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { call } from "../../engine/pattern.ts";
import { byStart } from "../../engine/TraceNode.ts";
import { type Leg, leg, quiet, readLeg, returnedExcess } from "./carrier.ts";
import {
  claimAvailableFees,
  claimPositionFees,
  claimPositionReward,
  claimReward,
  payoutPositionFees,
  payoutReward,
} from "./messages.ts";

interface Claim {
  readonly source: Address | undefined;
  readonly pool: Address | undefined;
  readonly position: Address | undefined;
}

function partiesOf({ source, pool, position }: Claim) {
  return { source, destination: pool, destinationSecondary: position };
}

function claimFields<C extends Claim>(f: DetailFieldMakers<C>) {
  return {
    dex: f.fixed("Name of the exchange.", "dedust_v2"),
    source: f.address("Address of the sender.", (c) => c.source),
    pool: f.address("Address of the pool.", (c) => c.pool),
    position: f.address("Contract with the user's share of the pool.", (c) => c.position),
  };
}

/** The parties of a claim, from the message to the pool and the answer of the position. */
function claimOf(node: CallNode, answer: CallNode): Claim {
  return { source: node.data.source, pool: node.data.destination, position: answer.data.source };
}

interface ClaimedSide {
  readonly amount: bigint;
  /** Absent where nothing was paid. */
  readonly paid: Leg | undefined;
}

interface ClaimedFees extends Claim {
  readonly first: ClaimedSide;
  readonly second: ClaimedSide;
}

export const dedustV2ClaimFees = kind<ClaimedFees>({
  type: "dedust_v2_claim_fees",
  showsParts: true,
  parties: partiesOf,
  details: (f) => ({
    ...claimFields(f),
    asset_1: f.address("First asset: the address of a jetton's master, null for coins.", (c) => c.first.paid?.asset),
    asset_2: f.address("Second asset: the address of a jetton's master, null for coins.", (c) => c.second.paid?.asset),
    amount_1: f.amount("Fees in the first asset, in its smallest units.", (c) => c.first.amount),
    amount_2: f.amount("Fees in the second asset, in its smallest units.", (c) => c.second.amount),
    user_jetton_wallet_1: f.address("User's wallet of the first jetton.", (c) => c.first.paid?.userWallet),
    user_jetton_wallet_2: f.address("User's wallet of the second jetton.", (c) => c.second.paid?.userWallet),
    dex_jetton_wallet_1: f.address("Pool's wallet of the first jetton.", (c) => c.first.paid?.poolWallet),
    dex_jetton_wallet_2: f.address("Pool's wallet of the second jetton.", (c) => c.second.paid?.poolWallet),
  }),
});

const feesPaid = call(payoutPositionFees, { ...quiet, children: [leg, leg, returnedExcess] });
const feesClaimed = call(claimPositionFees, { child: call(claimAvailableFees, { ...quiet, child: feesPaid }) });

export const dedustV2ClaimFeesMatcher = matcher({
  name: "dedust_v2_claim_fees",
  pattern: feesClaimed,
  build: (match) => {
    const [node, answer] = [match.get(feesClaimed), match.get(feesPaid)];
    const { feesX, feesY } = bodyOf(answer, payoutPositionFees);
    let [first, second]: (Leg | undefined)[] = [];
    for (const paid of match.list(leg).sort(byStart).map(readLeg)) {
      if (first === undefined && paid.amount === feesX) first = paid;
      else if (paid.amount === feesY) second ??= paid;
    }
    return made(dedustV2ClaimFees, {
      ...claimOf(node, answer),
      first: { amount: feesX, paid: first },
      second: { amount: feesY, paid: second },
    });
  },
});

interface ClaimedReward extends Claim {
  readonly reward: ClaimedSide;
}

export const dedustV2ClaimReward = kind<ClaimedReward>({
  type: "dedust_v2_claim_reward",
  showsParts: true,
  parties: partiesOf,
  details: (f) => ({
    ...claimFields(f),
    asset: f.address(
      "Asset of the reward: the address of a jetton's master, null for coins.",
      (c) => c.reward.paid?.asset,
    ),
    amount: f.amount("Amount of the reward, in the smallest units of the asset.", (c) => c.reward.amount),
    user_jetton_wallet: f.address("User's wallet of the jetton.", (c) => c.reward.paid?.userWallet),
    dex_jetton_wallet: f.address("Pool's wallet of the jetton.", (c) => c.reward.paid?.poolWallet),
  }),
});

const rewardPaid = call(payoutReward, { ...quiet, children: [leg, returnedExcess] });
const rewardClaimed = call(claimReward, { child: call(claimPositionReward, { ...quiet, child: rewardPaid }) });

export const dedustV2ClaimRewardMatcher = matcher({
  name: "dedust_v2_claim_reward",
  pattern: rewardClaimed,
  build: (match) => {
    const [node, answer, paid] = [match.get(rewardClaimed), match.get(rewardPaid), match.find(leg)];
    // The claim must be readable too, although the answer has all that is shown.
    bodyOf(node, claimReward);
    return made(dedustV2ClaimReward, {
      ...claimOf(node, answer),
      reward: { amount: bodyOf(answer, payoutReward).amount, paid: paid && readLeg(paid) },
    });
  },
});
