import { declareFamily } from "../../kit/declareFamily.ts";
import { daolamaVault } from "./interfaces.ts";

/** DAOLama vaults. */
export const family = declareFamily({
  interfaces: [daolamaVault],
});
