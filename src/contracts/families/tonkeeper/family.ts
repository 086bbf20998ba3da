import { declareFamily } from "../../engine/declareFamily.ts";
import { tonkeeper2fa } from "./interfaces.ts";
import { tonkeeperBodies } from "./messages.ts";

/** Two-factor plugins of Tonkeeper. */
export const family = declareFamily({ bodies: tonkeeperBodies, interfaces: [tonkeeper2fa] });
