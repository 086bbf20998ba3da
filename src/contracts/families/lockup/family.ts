import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";

const lockupVesting = contract({
  name: "lockup_vesting",
  methods: ["get_lockup_data"],
});

const lockupUniversal = contract({
  name: "lockup_universal",
  methods: ["get_balances"],
});

/** Lockup wallets. */
export const family = declareFamily({ interfaces: [lockupVesting, lockupUniversal] });
