import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";

const daolamaVault = contract({
  name: "daolama_vault",
  methods: ["get_pool_data"],
});

/** DAOLama vaults. */
export const family = declareFamily({ interfaces: [daolamaVault] });
