import type { AbiType } from "../../abi/Abi.ts";
import { contract, contractByCode } from "../../kit/contract.ts";
import { describedData } from "../../kit/dataLayout.ts";
import { describedMethod } from "../../kit/getMethod.ts";
import * as messages from "./messages.ts";
import { demoPoolCode, nominatorPoolCodes } from "./poolStorage.ts";

/** By the account of the nominator in the basechain. */
const nominators: AbiType = {
  dict: {
    key: "bits256",
    value: {
      struct: [
        { name: "amount", type: "coins" },
        { name: "pending_deposit", type: "coins" },
      ],
    },
  },
};
const withdrawRequests: AbiType = { dict: { key: "bits256", value: { struct: [] } } };
const votings: AbiType = {
  dict: {
    key: "bits256",
    value: {
      struct: [
        {
          name: "votes",
          type: {
            dict: {
              key: "bits256",
              value: {
                struct: [
                  { name: "support", type: "bool" },
                  { name: "time", type: "uint32" },
                ],
              },
            },
          },
        },
        { name: "create_time", type: "uint32" },
      ],
    },
  },
};

const config: Readonly<Record<string, AbiType>> = {
  validator: "uint256",
  rewardShare: "uint16",
  maxNominatorsCount: "uint16",
  minValidatorStake: "coins",
  minNominatorStake: "coins",
};
const amounts: Readonly<Record<string, AbiType>> = {
  state: "uint8",
  nominatorsCount: "uint16",
  stakeAmountSent: "coins",
  validatorAmount: "coins",
};
const rest: Readonly<Record<string, AbiType>> = {
  nominators,
  withdrawRequests,
  stakeAt: "uint32",
  savedValidatorSetHash: "uint256",
  validatorSetChangesCount: "uint8",
  validatorSetChangeTime: "uint32",
  stakeHeldFor: "uint32",
  configProposalVotings: votings,
};

const getPoolData = describedMethod("get_pool_data", { ...amounts, ...config, ...rest });
const getNominatorData = describedMethod(
  "get_nominator_data",
  { amount: "coins", pendingDeposit: "coins", withdrawRequested: "bool" },
  { account: "uint256" },
);
const listNominators = describedMethod("list_nominators", {
  nominators: {
    list: {
      tuple: [
        { name: "account", type: "uint256" },
        { name: "amount", type: "coins" },
        { name: "pending_deposit", type: "coins" },
        { name: "withdraw_requested", type: "bool" },
      ],
    },
  },
});
const listVotes = describedMethod("list_votes", {
  votings: {
    list: {
      tuple: [
        { name: "proposal_hash", type: "uint256" },
        { name: "create_time", type: "uint32" },
      ],
    },
  },
});
const hasWithdrawRequests = describedMethod("has_withdraw_requests", { requested: "bool" });

/** The standard nominator pool. */
export const tvPool = contract({
  name: "tv_pool",
  methods: [getPoolData, getNominatorData, listNominators, listVotes],
  furtherMethods: [hasWithdrawRequests],
  storage: [
    describedData(
      {
        ...amounts,
        config: {
          ref: {
            struct: [
              { name: "validator", type: "uint256" },
              { name: "reward_share", type: "uint16" },
              { name: "max_nominators_count", type: "uint16" },
              { name: "min_validator_stake", type: "coins" },
              { name: "min_nominator_stake", type: "coins" },
            ],
          },
        },
        ...rest,
      },
      nominatorPoolCodes,
    ),
  ],
});

export const whalesPool = contract({
  name: "whales_pool",
  methods: ["get_staking_status", "get_pool_status", "get_member", "get_members_raw", "get_params"],
  receives: [
    messages.whalesNominatorsDeposit,
    messages.whalesNominatorsWithdraw,
    messages.whalesNominatorsForceKick,
    messages.whalesNominatorsSendStake,
    messages.whalesNominatorsWithdrawUnowned,
    messages.whalesNominatorsAcceptStake,
    messages.whalesNominatorsAcceptWithdraws,
  ],
  sends: [
    messages.whalesNominatorsStakeWithdrawDelayed,
    messages.whalesNominatorsStakeWithdrawCompleted,
    messages.whalesNominatorsWithdrawUnownedResponse,
  ],
});

/** The pool of the demo set, which has not all methods of the standard one. */
export const poolByCode = contractByCode("nominator_pool", demoPoolCode, tvPool);
