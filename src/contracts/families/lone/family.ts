import { declareFamily } from "../../kit/declareFamily.ts";
import { loneBodies } from "./messages.ts";

/** Opcodes of contracts that have no family of their own; only their names are known. */
export const family = declareFamily({
  bodies: loneBodies,
});
