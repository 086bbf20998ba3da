import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const tegroBodies: readonly Body<unknown>[] = bareOpcodes({
  tegro_jetton_swap_forward_payload: 0x01fb7a25,
  tegro_add_liquidity_forward_payload: 0x287e167a,
  tegro_swap_ton: 0x600c00fd,
});

/** The Tegro exchange. */
export const family = declareFamily({ bodies: tegroBodies });
