import { declareFamily } from "../../engine/declareFamily.ts";
import { electionDepositMatcher, electionRecoverMatcher } from "./actions.ts";
import { electionsBodies } from "./messages.ts";

/** Stakes of validators in the elector. */
export const family = declareFamily({
  bodies: electionsBodies,
  matchers: { deposit: electionDepositMatcher, recover: electionRecoverMatcher },
  types: { v1: ["election_deposit", "election_recover"] },
});
