import { declareFamily } from "../../engine/declareFamily.ts";
import { pythPriceOracle } from "./interfaces.ts";
import { pythBodies } from "./messages.ts";

/** Pyth price oracles. */
export const family = declareFamily({ bodies: pythBodies, interfaces: [pythPriceOracle] });
