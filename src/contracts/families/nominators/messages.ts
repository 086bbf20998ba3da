import { type Body, body } from "../../kit/declare.ts";
import { bits256, bits512, grams, int64, ref, rest, uint32 } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

export const whalesNominatorsWithdraw = body("whales_nominators_withdraw", 0xda803efd, {
  queryId: int64,
  gas: grams,
  amount: grams,
});
export const whalesNominatorsDeposit = body("whales_nominators_deposit", 0x7bcd1fef, { queryId: int64, gas: grams });
export const whalesNominatorsForceKick = body("whales_nominators_force_kick", 0x1596920c, { queryId: int64 });
export const whalesNominatorsStakeWithdrawDelayed = body("whales_nominators_stake_withdraw_delayed", 0x74bb3427, {
  queryId: int64,
});
export const whalesNominatorsStakeWithdrawCompleted = body("whales_nominators_stake_withdraw_completed", 0x23d421e1, {
  queryId: int64,
});
export const whalesNominatorsSendStake = queryBody("whales_nominators_send_stake", 0xa2065f2c, {
  gasLimit: grams,
  stake: grams,
  validatorPubkey: bits256,
  stakeAt: uint32,
  maxFactor: uint32,
  adnlAddr: bits256,
  signature: ref(bits512),
});
export const whalesNominatorsWithdrawUnowned = queryBody("whales_nominators_withdraw_unowned", 0x251d6a98, {
  gasLimit: grams,
});
export const whalesNominatorsWithdrawUnownedResponse = queryBody(
  "whales_nominators_withdraw_unowned_response",
  0x1d1715bf,
  {},
);
export const whalesNominatorsAcceptStake = queryBody("whales_nominators_accept_stake", 0x99a811fb, { members: rest });
export const whalesNominatorsAcceptWithdraws = queryBody("whales_nominators_accept_withdraws", 0xa19fd934, {
  members: rest,
});

/** Of the standard pool, which has no names for them. */
export const poolOpcodes = { payRequests: 2, validatorDeposit: 4, validatorWithdrawal: 5 } as const;

/** In the order they are tried. */
export const nominatorsBodies: readonly Body<unknown>[] = [
  whalesNominatorsWithdraw,
  whalesNominatorsDeposit,
  whalesNominatorsForceKick,
  whalesNominatorsStakeWithdrawDelayed,
  whalesNominatorsStakeWithdrawCompleted,
  whalesNominatorsSendStake,
  whalesNominatorsWithdrawUnowned,
  whalesNominatorsWithdrawUnownedResponse,
  whalesNominatorsAcceptStake,
  whalesNominatorsAcceptWithdraws,
];
