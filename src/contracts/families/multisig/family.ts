import { declareFamily } from "../../engine/declareFamily.ts";
import { multisigApproveMatcher, multisigCreateMatcher, multisigExecuteMatcher } from "./actions.ts";
import { multisigBodies } from "./messages.ts";
import { multisigOrder } from "./order.ts";
import { multisig, multisigOrderV2, multisigV2 } from "./wallet.ts";

const types = ["multisig_create_order", "multisig_approve", "multisig_execute"];

/** Multisig wallets of version 2 and their orders. */
export const family = declareFamily({
  bodies: multisigBodies,
  interfaces: [multisigV2, multisigOrderV2],
  entities: [multisig, multisigOrder],
  matchers: { create: multisigCreateMatcher, approve: multisigApproveMatcher, execute: multisigExecuteMatcher },
  types: { v2: types, sets: { multisig: types } },
});
