import { contract } from "../../kit/contract.ts";

export const tvPool = contract({
  name: "tv_pool",
  methods: ["get_pool_data", "get_nominator_data", "list_nominators", "list_votes"],
});

export const whalesPool = contract({
  name: "whales_pool",
  methods: ["get_staking_status", "get_pool_status", "get_member", "get_members_raw", "get_params"],
});
