import { declareFamily } from "../../engine/declareFamily.ts";
import { tegroBodies } from "./messages.ts";

/** The Tegro exchange. */
export const family = declareFamily({ bodies: tegroBodies });
