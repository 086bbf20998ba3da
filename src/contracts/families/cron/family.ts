import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const cronBodies: readonly Body<unknown>[] = bareOpcodes({
  cron_trigger: 0x2114702d,
  cron_reward: 0x2e04891a,
  cron_init: 0x2e41d3ac,
  w5_dns_renewal_calc_and_topup: 0x56f6110e,
  cron_destroyed: 0xbbe27821,
  cron_notify: 0xd027efe5,
});

const cron = contract({
  name: "cron",
  methods: ["get_cron_info"],
});

/** Contracts that are called on a schedule. */
export const family = declareFamily({ bodies: cronBodies, interfaces: [cron] });
