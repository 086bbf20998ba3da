import { declareFamily } from "../../engine/declareFamily.ts";
import { loneBodies } from "./messages.ts";

/** Opcodes of contracts without a family; only their names are known. */
export const family = declareFamily({ bodies: loneBodies });
