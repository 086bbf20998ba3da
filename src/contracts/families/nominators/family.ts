import { declareFamily } from "../../engine/declareFamily.ts";
import { nominatorDepositMatcher, nominatorPayoutMatcher, nominatorRequestMatcher } from "./actions.ts";
import { tvPool, whalesPool } from "./interfaces.ts";
import { nominatorsBodies } from "./messages.ts";

const types = ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"];

/** Nominator pools. */
export const family = declareFamily({
  bodies: nominatorsBodies,
  interfaces: [tvPool, whalesPool],
  matchers: { deposit: nominatorDepositMatcher, request: nominatorRequestMatcher, payout: nominatorPayoutMatcher },
  types: { v1: types, sets: { staking: types } },
});
