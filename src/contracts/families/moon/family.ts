import { declareFamily } from "../../engine/declareFamily.ts";
import { moonBooster, moonOrder, moonOrderFactory, moonPool } from "./interfaces.ts";
import { moonBodies } from "./messages.ts";

/** The Moon exchange. */
export const family = declareFamily({
  bodies: moonBodies,
  interfaces: [moonPool, moonBooster, moonOrderFactory, moonOrder],
});
