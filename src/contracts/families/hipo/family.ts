import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const hipoBodies: readonly Body<unknown>[] = bareOpcodes({
  hipo_finance_deposit_coins: 0x3d3761a6,
  hipo_finance_tokens_minted: 0x5445efee,
  hipo_finance_proxy_tokens_minted: 0x5be57626,
});

/** Hipo liquid staking. */
export const family = declareFamily({ bodies: hipoBodies });
