import { contract } from "../../kit/contract.ts";

export const tonstakePool = contract({
  name: "tonstake_pool",
  methods: ["get_pool_full_data"],
});

export const validatorController = contract({
  name: "validator_controller",
  methods: ["get_validator_controller_data"],
});
