import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { tonstakersDelayedMatcher, tonstakersDepositMatcher, tonstakersWithdrawMatcher } from "./actions.ts";
import { tonstakersBodies } from "./messages.ts";

const tonstakePool = contract({ name: "tonstake_pool", methods: ["get_pool_full_data"] });

const validatorController = contract({ name: "validator_controller", methods: ["get_validator_controller_data"] });

const types = ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"];

/** Tonstakers liquid staking. */
export const family = declareFamily({
  bodies: tonstakersBodies,
  interfaces: [tonstakePool, validatorController],
  matchers: {
    delayed: tonstakersDelayedMatcher,
    deposit: tonstakersDepositMatcher,
    withdraw: tonstakersWithdrawMatcher,
  },
  types: { v1: types, sets: { staking: types } },
});
