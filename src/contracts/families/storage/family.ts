import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const storageBodies: readonly Body<unknown>[] = bareOpcodes({
  offer_storage_contract: 0x107c49ef,
  proof_storage: 0x419d5d4d,
  storage_withdraw: 0x46ed2e94,
  update_pubkey: 0x53f34cd6,
  update_storage_params: 0x54cbf19b,
  close_storage_contract: 0x79f937ea,
  accept_storage_contract: 0x7a361688,
  storage_reward_withdrawal: 0xa91baf56,
  storage_contract_terminated: 0xb6236d63,
  storage_contract_confirmed: 0xd4caedcd,
  deploy_storage_contract: 0xe4748df1,
});

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
