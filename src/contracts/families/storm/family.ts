import { declareFamily } from "../../engine/declareFamily.ts";
import {
  stormExecutor,
  stormExecutorCollection,
  stormPositionManager,
  stormReferral,
  stormReferralCollection,
  stormVamm,
  stormVault,
} from "./interfaces.ts";
import { stormBodies } from "./messages.ts";

/** The Storm exchange. */
export const family = declareFamily({
  bodies: stormBodies,
  interfaces: [
    stormVamm,
    stormReferral,
    stormReferralCollection,
    stormExecutor,
    stormExecutorCollection,
    stormVault,
    stormPositionManager,
  ],
});
