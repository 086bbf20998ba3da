import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
export const tonkeeperBodies: readonly Body<unknown>[] = bareOpcodes({
  tonkeeper_2fa_signed: 0x53684037,
  tonkeeper_relayer_fee_forward_payload: 0x878da6e3,
});
