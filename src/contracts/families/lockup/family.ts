import { declareFamily } from "../../engine/declareFamily.ts";
import { lockupUniversal, lockupVesting } from "./interfaces.ts";

/** Lockup wallets. */
export const family = declareFamily({ interfaces: [lockupVesting, lockupUniversal] });
