import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const megatonBodies: readonly Body<unknown>[] = bareOpcodes({
  megaton_update_mining_params: 0x56a8e920,
  megaton_swap: 0x7362d09c,
  megaton_wton_mint: 0x77a33521,
});

const megatonfiRouter = contract({
  name: "megatonfi_router",
  methods: ["get_mining_data", "get_lp_data"],
});

const megatonfiExchange = contract({
  name: "megatonfi_exchange",
  methods: ["get_lp_swap_data", "get_lp_mining_data"],
});

/** The Megaton exchange. */
export const family = declareFamily({ bodies: megatonBodies, interfaces: [megatonfiRouter, megatonfiExchange] });
