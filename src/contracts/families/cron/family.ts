import { declareFamily } from "../../engine/declareFamily.ts";
import { cron } from "./interfaces.ts";
import { cronBodies } from "./messages.ts";

/** Contracts that are called on a schedule. */
export const family = declareFamily({ bodies: cronBodies, interfaces: [cron] });
