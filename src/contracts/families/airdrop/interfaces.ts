import { contract } from "../../kit/contract.ts";

export const airdropInterlockerV1 = contract({
  name: "airdrop_interlocker_v1",
  codes: ["rNK47E23QUOW+lNphlPswEpBbuNknY9bILQfF2rYM/A="],
  methods: ["get_contract_data"],
});

export const airdropInterlockerV2 = contract({
  name: "airdrop_interlocker_v2",
  codes: ["D/RKlvwkgRESNtjZkg/W4pthCCFePsW6dh6tlgKtraQ="],
  methods: ["get_distribution_info", "get_unlocks_info", "get_available_claim_amount"],
});
