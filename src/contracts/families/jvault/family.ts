import { declareFamily } from "../../engine/declareFamily.ts";
import { jvaultClaimMatcher, jvaultRequestMatcher, jvaultStakeMatcher, jvaultUnstakeMatcher } from "./actions.ts";
import { jvaultBodies } from "./messages.ts";
import { neededForStake } from "./stakeData.ts";

const types = ["jvault_stake", "jvault_unstake", "jvault_claim", "jvault_unstake_request"];

/** JVault staking pools. */
export const family = declareFamily({
  bodies: jvaultBodies,
  matchers: {
    stake: jvaultStakeMatcher,
    unstake: jvaultUnstakeMatcher,
    claim: jvaultClaimMatcher,
    request: jvaultRequestMatcher,
  },
  types: { v2: types, sets: { jvault: types } },
  facts: { forMessage: neededForStake },
});
