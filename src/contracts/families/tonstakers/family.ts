import { declareFamily } from "../../engine/declareFamily.ts";
import { tonstakersDelayedMatcher, tonstakersDepositMatcher, tonstakersWithdrawMatcher } from "./actions.ts";
import { tonstakePool, validatorController } from "./interfaces.ts";
import { tonstakersBodies } from "./messages.ts";

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
