import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const loneBodies: readonly Body<unknown>[] = bareOpcodes({
  logs: 0x012e8f40,
  credit: 0x1690c604,
  lock_and_claim: 0x3a86f1a0,
  gram_submit_proof_of_work: 0x4d696e65,
  daolama_vault_supply: 0x5c11ada9,
  approve: 0x7b4b42e6,
  scaled_ui_display_multiplier_changed: 0xac392598,
  nerd_qr_verify: 0xccc2c823,
  top_up: 0xd372158c,
  disapprove: 0xe8a0abfe,
});

/** Opcodes of contracts without a family; only their names are known. */
export const family = declareFamily({ bodies: loneBodies });
