import { contract } from "../../kit/contract.ts";

export const daolamaVault = contract({
  name: "daolama_vault",
  methods: ["get_pool_data"],
});
