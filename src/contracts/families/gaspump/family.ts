import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const gaspumpBodies: readonly Body<unknown>[] = bareOpcodes({
  gas_pump_buy_log: 0x67617302,
  gas_pump_sell_log: 0x67617303,
  gas_pump_send_to_pool_log: 0x67617305,
  gas_pump_change_trade_state_log: 0x67617306,
});

/** The GasPump memepad. */
export const family = declareFamily({ bodies: gaspumpBodies });
