import { declareFamily } from "../../engine/declareFamily.ts";
import { hipoBodies } from "./messages.ts";

/** Hipo liquid staking. */
export const family = declareFamily({ bodies: hipoBodies });
