import { declareFamily } from "../../engine/declareFamily.ts";
import { storageContract, storageProvider } from "./interfaces.ts";
import { storageBodies } from "./messages.ts";

/** TON Storage contracts. */
export const family = declareFamily({ bodies: storageBodies, interfaces: [storageProvider, storageContract] });
