import { declareFamily } from "../../engine/declareFamily.ts";
import {
  tgbtcBurnLogMatcher,
  tgbtcBurnMatcher,
  tgbtcDkgLogMatcher,
  tgbtcMintLogMatcher,
  tgbtcMintMatcher,
  tgbtcNewKeyLogMatcher,
  tgbtcNewKeyMatcher,
} from "./actions.ts";
import { tgbtcBodies } from "./messages.ts";

/** tgBTC: minting, burning and keys. */
export const family = declareFamily({
  bodies: tgbtcBodies,
  matchers: {
    mint: tgbtcMintMatcher,
    burn: tgbtcBurnMatcher,
    newKey: tgbtcNewKeyMatcher,
    mintLog: tgbtcMintLogMatcher,
    burnLog: tgbtcBurnLogMatcher,
    newKeyLog: tgbtcNewKeyLogMatcher,
    dkgLog: tgbtcDkgLogMatcher,
  },
  types: {
    sets: {
      tgbtc: [
        "tgbtc_dkg_log_fallback",
        "tgbtc_new_key",
        "tgbtc_new_key_fallback",
        "tgbtc_burn",
        "tgbtc_burn_fallback",
        "tgbtc_mint",
        "tgbtc_mint_fallback",
      ],
    },
  },
});
