import { declareFamily } from "../../kit/declareFamily.ts";
import { airdropInterlockerV1, airdropInterlockerV2 } from "./interfaces.ts";

/** Airdrop contracts that lock jettons. */
export const family = declareFamily({
  interfaces: [airdropInterlockerV1, airdropInterlockerV2],
});
