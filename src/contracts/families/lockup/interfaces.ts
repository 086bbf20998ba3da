import { contract } from "../../kit/contract.ts";

export const lockupVesting = contract({
  name: "lockup_vesting",
  methods: ["get_lockup_data"],
});

export const lockupUniversal = contract({
  name: "lockup_universal",
  methods: ["get_balances"],
});
