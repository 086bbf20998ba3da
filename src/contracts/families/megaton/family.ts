import { declareFamily } from "../../engine/declareFamily.ts";
import { megatonfiExchange, megatonfiRouter } from "./interfaces.ts";
import { megatonBodies } from "./messages.ts";

/** The Megaton exchange. */
export const family = declareFamily({ bodies: megatonBodies, interfaces: [megatonfiRouter, megatonfiExchange] });
