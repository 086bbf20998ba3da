import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { nominatorDepositMatcher, nominatorPayoutMatcher, nominatorRequestMatcher } from "./actions.ts";
import { nominatorsBodies } from "./messages.ts";
import { nominatorPool } from "./pool.ts";

const tvPool = contract({
  name: "tv_pool",
  methods: ["get_pool_data", "get_nominator_data", "list_nominators", "list_votes"],
});

const whalesPool = contract({
  name: "whales_pool",
  methods: ["get_staking_status", "get_pool_status", "get_member", "get_members_raw", "get_params"],
});

const types = ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"];

/** Nominator pools. */
export const family = declareFamily({
  bodies: nominatorsBodies,
  interfaces: [tvPool, whalesPool],
  entities: [nominatorPool],
  matchers: { deposit: nominatorDepositMatcher, request: nominatorRequestMatcher, payout: nominatorPayoutMatcher },
  types: { v1: types, sets: { staking: types } },
});
