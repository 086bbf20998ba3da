import { declareFamily } from "../../kit/declareFamily.ts";
import { gramMiner } from "./interfaces.ts";

/** Gram miners. */
export const family = declareFamily({
  interfaces: [gramMiner],
});
