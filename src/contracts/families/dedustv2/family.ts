import { declareFamily } from "../../engine/declareFamily.ts";
import { joinDeposits } from "../exchange/joinDeposits.ts";
import {
  dedustV2ClaimFees,
  dedustV2ClaimFeesMatcher,
  dedustV2ClaimReward,
  dedustV2ClaimRewardMatcher,
} from "./claims.ts";
import {
  dedustV2DepositMatcher,
  dedustV2Liquidity,
  dedustV2PartialMatcher,
  dedustV2RejectedMatcher,
  dedustV2WithdrawMatcher,
  joinDedustV2Sides,
} from "./liquidity.ts";
import { dedustV2FailedSwapMatcher, dedustV2SwapMatcher } from "./swap.ts";

const deposits = { ...dedustV2Liquidity, joinSides: joinDedustV2Sides };

/** The second version of the DeDust exchange: pools without vaults, shares in contracts of their own. */
export const family = declareFamily({
  matchers: {
    swap: dedustV2SwapMatcher,
    failedSwap: dedustV2FailedSwapMatcher,
    withdraw: dedustV2WithdrawMatcher,
    deposit: dedustV2DepositMatcher,
    rejectedDeposit: dedustV2RejectedMatcher,
    partialDeposit: dedustV2PartialMatcher,
    claimFees: dedustV2ClaimFeesMatcher,
    claimReward: dedustV2ClaimRewardMatcher,
  },
  regroup: (nodes) => joinDeposits(nodes, deposits),
  types: { v5: [dedustV2ClaimFees.type, dedustV2ClaimReward.type] },
});
