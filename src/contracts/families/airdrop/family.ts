import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";

const airdropInterlockerV1 = contract({
  name: "airdrop_interlocker_v1",
  codes: ["rNK47E23QUOW+lNphlPswEpBbuNknY9bILQfF2rYM/A="],
  methods: ["get_contract_data"],
});

const airdropInterlockerV2 = contract({
  name: "airdrop_interlocker_v2",
  codes: ["D/RKlvwkgRESNtjZkg/W4pthCCFePsW6dh6tlgKtraQ="],
  methods: ["get_distribution_info", "get_unlocks_info", "get_available_claim_amount"],
});

/** Airdrop contracts that lock jettons. */
export const family = declareFamily({ interfaces: [airdropInterlockerV1, airdropInterlockerV2] });
