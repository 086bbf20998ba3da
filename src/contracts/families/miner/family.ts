import { declareFamily } from "../../engine/declareFamily.ts";
import { gramMiner } from "./interfaces.ts";

/** Gram miners. */
export const family = declareFamily({ interfaces: [gramMiner] });
