import { address } from "../../kit/addressFields.ts";
import {
  type Body,
  type BodyField,
  type BodyFields,
  type BodyValues,
  bareOpcodes,
  bodies,
  body,
  named,
  record,
} from "../../kit/declare.ts";
import {
  bool,
  coins,
  either,
  maybe,
  maybeRef,
  payload,
  ref,
  uint16,
  uint32,
  uint64,
  vcoins,
} from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

export const stonfiSwap = queryBody("stonfi_swap", 0x25938561, {
  toAddress: address,
  senderAddress: address,
  jettonAmount: vcoins,
  minOut: vcoins,
  hasRefAddress: bool,
  addrs: ref(record("swap_addresses", { fromUser: address })),
});
export const stonfiSwapForwardPayload = body("stonfi_swap_forward_payload", 0x25938561, {
  tokenWallet: address,
  minOut: vcoins,
  toAddress: address,
  referralAddress: maybe(address),
});

const amountsOut = { amount0Out: vcoins, token0Address: address, amount1Out: vcoins, token1Address: address };
const payToParams = record("pay_to_params", amountsOut);
export const stonfiPaymentRequest = queryBody("stonfi_payment_request", 0xf93bb43f, {
  owner: address,
  exitCode: uint32,
  params: either(payToParams),
});

/** The beginning of every order of version 2. */
const orderHead = { tokenWallet1: address, refundAddress: address, excessesAddress: address, txDeadline: uint64 };

/** Fields in a cell of their own, whose JSON has no name. */
function inRef<F extends BodyFields>(type: string, fields: F): BodyField<BodyValues<F>> {
  return named("", ref(record(type, fields)));
}

/** An order as the pool gets it, with what it pays. */
function order<F extends BodyFields>(name: string, opcode: number, type: string, ordered: F) {
  return queryBody(name, opcode, {
    fromUser: address,
    leftAmount: vcoins,
    rightAmount: vcoins,
    dexPayload: inRef(type, { transferredOp: uint32, ...orderHead, ...ordered }),
  });
}

const swapBody = {
  minOut: vcoins,
  receiver: address,
  fwdGas: coins,
  customPayload: maybeRef,
  refundFwdGas: coins,
  refundPayload: maybeRef,
  refFee: uint16,
  refAddress: address,
};
export const stonfiSwapV2 = order("stonfi_swap_v2", 0x6664de2a, "dex_payload", {
  swapBody: inRef("swap_body", swapBody),
});

const provideLpBody = {
  minLpOut: vcoins,
  toAddress: address,
  bothPositive: bool,
  fwdAmount: coins,
  customPayload: maybeRef,
};
export const stonfiProvideLpV2 = order("stonfi_provide_lp_v2", 0x37c096df, "dex_payload_provide_lp_v2", {
  provideLpBody: inRef("provide_lp_body_v2", provideLpBody),
});

/** The same orders as they come with jettons. */
export const { stonfiSwapV2ForwardPayload, stonfiProvideLpV2ForwardPayload } = bodies({
  stonfiSwapV2ForwardPayload: [0x6664de2a, { ...orderHead, swapBody: inRef("cross_swap_body", swapBody) }],
  stonfiProvideLpV2ForwardPayload: [
    0x37c096df,
    { ...orderHead, provideLpBody: inRef("cross_provide_lp_body", provideLpBody) },
  ],
});

export const stonfiAddLiquidityV2 = queryBody("stonfi_add_liquidity_v2", 0x50c6a654, {
  newAmount0: vcoins,
  newAmount1: vcoins,
  minLpOut: vcoins,
  fwdAmount: coins,
  bothPositive: bool,
  toUser: address,
  customPayloadCs: maybeRef,
  additional: inRef("additional_fields_add_liquidity_v2", { refundAddress: address, excessAddress: address }),
});

export const stonfiCbAddLiquidityV2 = queryBody("stonfi_cb_add_liquidity_v2", 0x06ecd527, {
  totAm0: vcoins,
  totAm1: vcoins,
  userAddress: address,
  minLpOut: vcoins,
  fwdAmount: coins,
  customPayloadCs: maybeRef,
  additional: inRef("additional_fields", { toUserAddress: address, refundAddress: address, excessAddress: address }),
});

export const stonfiPayToV2 = queryBody("stonfi_pay_to_v2", 0x657b54f5, {
  toAddress: address,
  excessesAddress: address,
  originalCaller: address,
  exitCode: uint32,
  customPayload: maybeRef,
  additional: inRef("additional_info_pay_to_v2", { fwdTonAmount: coins, ...amountsOut }),
});

export const stonfiPayVaultV2 = queryBody("stonfi_pay_vault_v2", 0x63381632, {
  owner: address,
  excessesAddress: address,
  additional: inRef("additional_info_pay_vault_v2", amountsOut),
});

export const stonfiBurnNotificationExtV2 = queryBody("stonfi_burn_notification_ext_v2", 0x297437cf, {
  jettonAmount: vcoins,
  fromAddress: address,
  responseAddress: address,
  maybeCustomPayload: maybeRef,
});

/** pTON is the exchange's wrapped coin. */
export const ptonTonTransfer = queryBody("pton_ton_transfer", 0x01f3835d, {
  tonAmount: coins,
  refundAddress: address,
  forwardPayload: payload,
});

/** Known by name only. */
const bare = bareOpcodes({
  stonfi_swap_ok_forward_payload: 0xc64370e5,
  stonfi_swap_ok_ref_forward_payload: 0x45078540,
  stonfi_provide_liquidity_forward_payload: 0xfcf9e58f,
  stonfi_deposit_ref_fee_v2: 0x0490f09b,
  stonfi_vault_pay_to_v2: 0x2100c922,
  stonfi_withdraw_fee_v2: 0x354bcdf4,
  pton_reset_gas: 0x29d22935,
  pton_deploy_wallet: 0x4f5f4313,
  pton_internal_deploy: 0x6540cf85,
  pton_ton_refund: 0xae25d79e,
});

/** In the order they are tried. */
export const stonfiBodies: readonly Body<unknown>[] = [
  stonfiSwap,
  stonfiSwapForwardPayload,
  stonfiPaymentRequest,
  stonfiSwapV2,
  stonfiSwapV2ForwardPayload,
  stonfiProvideLpV2,
  stonfiProvideLpV2ForwardPayload,
  stonfiAddLiquidityV2,
  stonfiCbAddLiquidityV2,
  stonfiPayToV2,
  stonfiPayVaultV2,
  stonfiBurnNotificationExtV2,
  ptonTonTransfer,
  ...bare,
];
