import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { storageBodies } from "./messages.ts";

const storageProvider = contract({
  name: "storage_provider",
  methods: ["get_wallet_params", "get_storage_params", "seqno", "get_public_key", "get_storage_contract_address"],
});

const storageContract = contract({
  name: "storage_contract",
  methods: ["get_storage_contract_data", "get_torrent_hash", "is_active", "get_next_proof_info"],
});

/** TON Storage contracts. */
export const family = declareFamily({ bodies: storageBodies, interfaces: [storageProvider, storageContract] });
