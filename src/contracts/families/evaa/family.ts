import { declareFamily } from "../../engine/declareFamily.ts";
import { evaaSupplyMatcher, evaaWithdrawMatcher } from "./actions.ts";
import { evaaLiquidateMatcher } from "./liquidate.ts";
import { evaaBodies } from "./messages.ts";

const types = ["evaa_supply", "evaa_withdraw", "evaa_liquidate"];

/** The EVAA lending protocol. */
export const family = declareFamily({
  bodies: evaaBodies,
  matchers: { supply: evaaSupplyMatcher, withdraw: evaaWithdrawMatcher, liquidate: evaaLiquidateMatcher },
  types: { v2: types, sets: { evaa: types } },
});
