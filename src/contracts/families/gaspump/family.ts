import { declareFamily } from "../../engine/declareFamily.ts";
import { gaspumpBodies } from "./messages.ts";

/** The GasPump memepad. */
export const family = declareFamily({ bodies: gaspumpBodies });
