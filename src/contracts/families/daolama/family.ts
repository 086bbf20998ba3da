import { declareFamily } from "../../engine/declareFamily.ts";
import { daolamaVault } from "./interfaces.ts";

/** DAOLama vaults. */
export const family = declareFamily({ interfaces: [daolamaVault] });
