import { declareFamily } from "../../engine/declareFamily.ts";
import { vestingSendMatcher, vestingWhitelistMatcher } from "./actions.ts";
import { vesting, walletVesting } from "./contract.ts";
import { vestingBodies } from "./messages.ts";

const types = ["vesting_send_message", "vesting_add_whitelist"];

/** Vesting wallets. */
export const family = declareFamily({
  bodies: vestingBodies,
  interfaces: [walletVesting],
  entities: [vesting],
  matchers: { send: vestingSendMatcher, whitelist: vestingWhitelistMatcher },
  types: { v2: types, sets: { vesting: types } },
});
