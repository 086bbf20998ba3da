import type { AbiFields, AbiType } from "../../abi/Abi.ts";
import { contract } from "../../kit/contract.ts";
import { describedData } from "../../kit/dataLayout.ts";
import { describedMethod, typedFields } from "../../kit/getMethod.ts";
import {
  electorNewStake,
  electorNewStakeConfirmation,
  electorRecoverStakeRequest,
  electorRecoverStakeResponse,
} from "./messages.ts";

function struct(types: Readonly<Record<string, AbiType>>): { readonly struct: AbiFields } {
  return { struct: typedFields(types) };
}

function listOf(types: Readonly<Record<string, AbiType>>): AbiType {
  return { list: { tuple: typedFields(types) } };
}

// The schemes of these are in electorStorage.ts.
const member = struct({
  stake: "coins",
  stakedAt: "uint32",
  maxFactor: "uint32",
  account: "bits256",
  adnlAddress: "bits256",
});
const election = struct({
  electionId: "uint32",
  closesAt: "uint32",
  minStake: "coins",
  totalStake: "coins",
  members: { dict: { key: "bits256", value: member } },
  failed: "bool",
  finished: "bool",
});
const complaint: AbiType = {
  union: [
    {
      name: "validator_complaint",
      tag: "#bc",
      fields: typedFields({
        validatorKey: "bits256",
        description: "cell",
        createdAt: "uint32",
        severity: "uint8",
        rewardAccount: "bits256",
        paid: "coins",
        suggestedFine: "coins",
        suggestedFinePart: "uint32",
      }),
    },
  ],
};
const complaintStatus: AbiType = {
  union: [
    {
      name: "complaint_status",
      tag: "#2d",
      fields: typedFields({
        complaint: { ref: complaint },
        voters: { dict: { key: "uint16", value: "uint32" } },
        setHash: "bits256",
        weightRemaining: "int64",
      }),
    },
  ],
};
const frozen = struct({ account: "bits256", weight: "uint64", stake: "coins", banned: "bool" });
const pastElection = struct({
  unfreezeAt: "uint32",
  stakeHeldFor: "uint32",
  setHash: "bits256",
  frozen: { dict: { key: "bits256", value: frozen } },
  totalStake: "coins",
  bonuses: "coins",
  complaints: { dict: { key: "bits256", value: complaintStatus } },
});

/** The contract that elects validators. */
export const electorContract = contract({
  name: "elector",
  addresses: [`-1:${"3".repeat(64)}`],
  furtherMethods: [
    describedMethod("active_election_id", { electionId: "uint32" }),
    describedMethod("participates_in", { stake: "coins" }, { validatorKey: "uint256" }),
    describedMethod("participant_list", { participants: listOf({ validatorKey: "uint256", stake: "coins" }) }),
    describedMethod("participant_list_extended", {
      electionId: "uint32",
      closesAt: "uint32",
      minStake: "coins",
      totalStake: "coins",
      participants: listOf({
        validatorKey: "uint256",
        participant: {
          tuple: typedFields({ stake: "coins", maxFactor: "uint32", account: "uint256", adnlAddress: "uint256" }),
        },
      }),
      failed: "bool",
      finished: "bool",
    }),
    describedMethod("compute_returned_stake", { stake: "coins" }, { account: "uint256" }),
    describedMethod("past_elections_list", {
      elections: listOf({ electionId: "uint32", unfreezeAt: "uint32", setHash: "uint256", stakeHeldFor: "uint32" }),
    }),
  ],
  receives: [electorNewStake, electorRecoverStakeRequest],
  sends: [electorNewStakeConfirmation, electorRecoverStakeResponse],
  storage: [
    describedData({
      election: { maybe: { ref: election } },
      credits: { dict: { key: "bits256", value: "coins" } },
      pastElections: { dict: { key: "uint32", value: pastElection } },
      coins: "coins",
      activeId: "uint32",
      activeHash: "bits256",
    }),
  ],
});

/** The contract that has the configuration. */
// config_params:^(Hashmap 32 ^Cell) seqno:uint32 public_key:uint256 votes:(HashmapE 256 Any)
export const configContract = contract({
  name: "config",
  addresses: [`-1:${"5".repeat(64)}`],
  furtherMethods: [describedMethod("seqno", { seqno: "uint32" })],
  storage: [
    describedData({
      params: { hashmap: { key: "int32", value: "cell" } },
      seqno: "uint32",
      publicKey: "uint256",
      votes: { dict: { key: "uint256", value: "slice" } },
    }),
  ],
});
