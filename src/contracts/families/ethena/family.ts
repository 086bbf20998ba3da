import { declareFamily } from "../../engine/declareFamily.ts";
import { ethenaDepositMatcher, ethenaRequestMatcher } from "./actions.ts";

const types = ["stake_deposit", "stake_withdrawal_request"];

/** Ethena staking on jettons. */
export const family = declareFamily({
  matchers: { request: ethenaRequestMatcher, deposit: ethenaDepositMatcher },
  types: { v1: types, sets: { staking: types } },
});
