import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
export const cronBodies: readonly Body<unknown>[] = bareOpcodes({
  cron_trigger: 0x2114702d,
  cron_reward: 0x2e04891a,
  cron_init: 0x2e41d3ac,
  w5_dns_renewal_calc_and_topup: 0x56f6110e,
  cron_destroyed: 0xbbe27821,
  cron_notify: 0xd027efe5,
});
