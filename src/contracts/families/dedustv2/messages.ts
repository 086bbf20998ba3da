import { address, partyAddress } from "../../kit/addressFields.ts";
import { group, quietBody } from "../../kit/declare.ts";
import { bool, cellRef, coins, int, maybe, maybeRef, uint, uint16, uint256 } from "../../kit/fields.ts";
import { quietQueryBody } from "../../kit/queryBody.ts";

// The messages that actions read, in full: a cut one is refused. Accounts that no action names may be external.
// v3-additions.md §10.2

export const payNative = quietQueryBody("dedust_v2_pay_native", 0xa5a7cbf8, {
  amount: coins,
  payload: cellRef,
  payout: cellRef,
});
/** Goes to the pool with a jetton transfer. */
export const payJetton = quietBody("dedust_v2_pay_jetton", 0xcbc33949, { payload: cellRef, payout: cellRef });
export const payoutBody = quietQueryBody("dedust_v2_payout", 0x3216ca09, {
  amount: coins,
  exitCode: int(32),
  payload: maybeRef,
});

/** What every log of a pool ends with. */
const logEnd = { initiator: address, recipient: address, state: cellRef };
const amounts = { amountX: coins, amountY: coins };
const payee = { owner: partyAddress, excessesTo: address };

const share = maybe(group({ id: uint256, bps: uint16 }));

/** The order of a swap; the pools after the first follow in `next`, one in each cell. */
export const swapOrder = quietBody("dedust_v2_swap", 0xc442500f, {
  minOut: coins,
  deadline: uint(40),
  next: maybeRef,
  partner: share,
  referrer: share,
});
// _ pool:MsgAddressInt min_out:Coins deadline:uint40 next:(Maybe ^Step) = Step;
export const swapStep = group({ pool: address, minOut: coins, deadline: uint(40), next: maybeRef });
export const swapLog = quietBody("dedust_v2_swap_log", 0x78e79ba4, {
  isXToY: bool,
  amountIn: coins,
  amountOut: coins,
  ...logEnd,
  fees: cellRef,
});

export const withdrawBody = quietQueryBody("dedust_v2_withdraw", 0x20b5ef89, {
  liquidity: coins,
  minX: coins,
  minY: coins,
  claimsFees: bool,
  payout: cellRef,
});
export const withdrawLiquidity = 0xbc1531a9;
export const exitLiquidity = 0xf6f6a3aa;
export const withdrawalLog = quietBody("dedust_v2_withdrawal_log", 0xc0d77b54, {
  liquidity: coins,
  ...amounts,
  ...logEnd,
});

export const depositOrder = quietBody("dedust_v2_deposit", 0xc9a015da, {
  ...amounts,
  minLiquidity: coins,
  lockedShare: uint16,
});
export const creditAsset = quietQueryBody("dedust_v2_credit_asset", 0xdc5ddba1, { isX: bool, amount: coins });
export const joinLiquidity = quietQueryBody("dedust_v2_join_liquidity", 0x25251ee0, {
  config: cellRef,
  ...amounts,
  initiator: partyAddress,
});
export const depositLog = quietBody("dedust_v2_deposit_log", 0x35df2e12, { ...amounts, liquidity: coins, ...logEnd });
export const creditLiquidity = 0x855afcbd;

export const claimPositionFees = 0x5652f1df;
export const claimAvailableFees = 0x25f19752;
export const payoutPositionFees = quietQueryBody("dedust_v2_payout_position_fees", 0x29ff1bcf, {
  feesX: coins,
  feesY: coins,
  ...payee,
});

export const claimReward = quietQueryBody("dedust_v2_claim_reward", 0x909fdb65, {
  rewardIndex: uint(2),
  excessesTo: address,
});
export const claimPositionReward = 0x2e0cccba;
export const payoutReward = quietQueryBody("dedust_v2_payout_reward", 0x9e17fbbe, {
  amount: coins,
  rewardIndex: uint(2),
  ...payee,
});
