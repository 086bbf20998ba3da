import { declareFamily } from "../../kit/declareFamily.ts";
import { tegroBodies } from "./messages.ts";

/** The Tegro exchange. */
export const family = declareFamily({
  bodies: tegroBodies,
});
