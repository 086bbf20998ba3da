import { declareFamily } from "../../engine/declareFamily.ts";
import { bidaskInternalLiquidityVault, bidaskLpMultitoken, bidaskPool, bidaskRange } from "./interfaces.ts";
import { bidaskBodies } from "./messages.ts";

/** The Bidask exchange. */
export const family = declareFamily({
  bodies: bidaskBodies,
  interfaces: [bidaskPool, bidaskRange, bidaskLpMultitoken, bidaskInternalLiquidityVault],
});
