import { contract } from "../../kit/contract.ts";

export const storageProvider = contract({
  name: "storage_provider",
  methods: ["get_wallet_params", "get_storage_params", "seqno", "get_public_key", "get_storage_contract_address"],
});

export const storageContract = contract({
  name: "storage_contract",
  methods: ["get_storage_contract_data", "get_torrent_hash", "is_active", "get_next_proof_info"],
});
