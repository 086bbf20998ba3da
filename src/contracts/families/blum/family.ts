import { declareFamily } from "../../kit/declareFamily.ts";
import { blumBodies } from "./messages.ts";

/** The Blum memepad. */
export const family = declareFamily({
  bodies: blumBodies,
});
