import { declareFamily } from "../../engine/declareFamily.ts";
import { airdropInterlockerV1, airdropInterlockerV2 } from "./interfaces.ts";

/** Airdrop contracts that lock jettons. */
export const family = declareFamily({ interfaces: [airdropInterlockerV1, airdropInterlockerV2] });
