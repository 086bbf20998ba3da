import { declareFamily } from "../../engine/declareFamily.ts";
import { bemoBodies } from "./messages.ts";

/** bemo liquid staking. */
export const family = declareFamily({ bodies: bemoBodies });
