import { declareFamily } from "../../engine/declareFamily.ts";
import { transferBodies } from "./messages.ts";

/** Plain messages: transfers of TON, calls and deployments. */
export const family = declareFamily({
  bodies: transferBodies,
  types: { v1: ["call_contract", "contract_deploy", "ton_transfer", "tick_tock"], v2: ["unknown"] },
});
