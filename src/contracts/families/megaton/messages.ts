import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
export const megatonBodies: readonly Body<unknown>[] = bareOpcodes({
  megaton_update_mining_params: 0x56a8e920,
  megaton_swap: 0x7362d09c,
  megaton_wton_mint: 0x77a33521,
});
