import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const blumBodies: readonly Body<unknown>[] = bareOpcodes({
  blum_memepad_send_liq_log: 0x30c7219b,
  blum_memepad_sell: 0x742b36d8,
  blum_memepad_buy: 0xaf750d34,
  blum_memepad_buy_log: 0xceac8af4,
  blum_memepad_sell_log: 0xef2e2def,
  blum_memepad_unlock_wallet: 0xf0fd50bb,
});

/** The Blum memepad. */
export const family = declareFamily({ bodies: blumBodies });
