import { declareFamily } from "../../engine/declareFamily.ts";
import { nominatorDepositMatcher, nominatorPayoutMatcher, nominatorRequestMatcher } from "./actions.ts";
import { poolByCode, tvPool, whalesPool } from "./interfaces.ts";
import { nominatorsBodies } from "./messages.ts";
import { nominatorPool } from "./pool.ts";

const types = ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"];

/** Nominator pools. */
export const family = declareFamily({
  bodies: nominatorsBodies,
  interfaces: [tvPool, whalesPool],
  described: [poolByCode],
  entities: [nominatorPool],
  matchers: { deposit: nominatorDepositMatcher, request: nominatorRequestMatcher, payout: nominatorPayoutMatcher },
  types: { v1: types, sets: { staking: types } },
});
