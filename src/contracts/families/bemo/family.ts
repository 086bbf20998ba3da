import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const bemoBodies: readonly Body<unknown>[] = bareOpcodes({
  bemo_deploy_unstake_request: 0x10a1ce75,
  bemo_return_unstake_request: 0x38633538,
  bemo_stake: 0x4253c4d5,
  bemo_unstake: 0x492ab1b3,
  bemo_unstake_notification: 0x90c80a07,
});

/** bemo liquid staking. */
export const family = declareFamily({ bodies: bemoBodies });
