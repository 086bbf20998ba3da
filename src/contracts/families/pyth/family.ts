import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";
import { pythPriceOracle } from "./interfaces.ts";

/** Known by name only. */
const pythBodies: readonly Body<unknown>[] = bareOpcodes({
  pyth_update_guardian_set: 0x00000001,
  pyth_parse_price_feed_updates: 0x00000005,
  pyth_parse_unique_price_feed_updates: 0x00000006,
  pyth_response_success: 0x00010001,
  pyth_response_error: 0x00010002,
});

/** Pyth price oracles. */
export const family = declareFamily({ bodies: pythBodies, interfaces: [pythPriceOracle] });
