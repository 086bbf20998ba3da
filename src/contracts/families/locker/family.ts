import { declareFamily } from "../../engine/declareFamily.ts";
import { locker, lockerBill } from "./interfaces.ts";

/** Lockers of coins and their bills. */
export const family = declareFamily({ interfaces: [locker, lockerBill] });
