import { declareFamily } from "../../kit/declareFamily.ts";
import { hipoBodies } from "./messages.ts";

/** Hipo liquid staking. */
export const family = declareFamily({
  bodies: hipoBodies,
});
