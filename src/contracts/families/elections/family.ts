import { type Address, makeAddress } from "../../../model/Address.ts";
import { declareFamily } from "../../engine/declareFamily.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { coinsOf, sourceOf } from "../../engine/messageParts.ts";
import { call } from "../../engine/pattern.ts";
import { configContract, electorContract } from "./contracts.ts";
import {
  electionsBodies,
  electorNewStake,
  electorNewStakeConfirmation,
  electorRecoverStakeRequest,
  electorRecoverStakeResponse,
} from "./messages.ts";

const elector = makeAddress(-1, "3".repeat(64));

interface Stake {
  readonly holder: Address;
  readonly amount: bigint | undefined;
}

function stakeKind(type: string): NodeKind<Stake> {
  return kind<Stake>({
    type,
    parties: (s) => ({ source: s.holder }),
    details: (f) => ({
      stake_holder: f.address("Address of the owner of the stake.", (s) => s.holder),
      amount: f.whenKnown(f.amount("Stake in nanocoins.", (s) => s.amount)),
    }),
  });
}

export const electionDeposit = stakeKind("election_deposit");
export const electionRecover = stakeKind("election_recover");

const confirmation = call(electorNewStakeConfirmation, { optional: true, takesReplies: "bounces" });
const staked = call(electorNewStake, { child: confirmation });

const electionDepositMatcher = matcher({
  name: "election_deposit",
  pattern: staked,
  build: (match) => {
    const node = match.get(staked);
    if (node.data.destination !== elector) return undefined;
    const data = { holder: sourceOf(node), amount: coinsOf(node) };
    return made(electionDeposit, data, { failed: match.find(confirmation) === undefined });
  },
});

const answer = call(electorRecoverStakeResponse, { optional: true, takesReplies: "bounces" });
const recovered = call(electorRecoverStakeRequest, { child: answer });

const electionRecoverMatcher = matcher({
  name: "election_recover",
  pattern: recovered,
  build: (match) => {
    const node = match.get(recovered);
    if (node.data.destination !== elector) return undefined;
    const reply = match.find(answer);
    const data = { holder: sourceOf(node), amount: reply === undefined ? undefined : coinsOf(reply) };
    return made(electionRecover, data, { failed: reply === undefined });
  },
});

/** Stakes of validators in the elector. */
export const family = declareFamily({
  bodies: electionsBodies,
  described: [electorContract, configContract],
  matchers: { deposit: electionDepositMatcher, recover: electionRecoverMatcher },
  types: { v1: ["election_deposit", "election_recover"] },
});
