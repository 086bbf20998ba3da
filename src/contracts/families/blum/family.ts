import { declareFamily } from "../../engine/declareFamily.ts";
import { blumBodies } from "./messages.ts";

/** The Blum memepad. */
export const family = declareFamily({ bodies: blumBodies });
