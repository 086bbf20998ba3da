import { accountAddress, address, partyAddress, servedAddress } from "../../kit/addressFields.ts";
import { type Body, body, quietBody } from "../../kit/declare.ts";
import { cellRef, coins, maybeRef, payload, queryId, rest, uint, vcoins } from "../../kit/fields.ts";

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
export const jettonTransferBody = body("jetton_transfer", 0x0f8a7ea5, {
  queryId,
  amount: vcoins,
  destination: partyAddress,
  responseDestination: partyAddress,
  customPayload: maybeRef,
  forwardTonAmount: vcoins,
  forwardPayload: payload,
});

// internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress
//   forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
export const jettonInternalTransfer = body("jetton_internal_transfer", 0x178d4519, {
  queryId,
  amount: vcoins,
  from: address,
  responseAddress: address,
  forwardTonAmount: vcoins,
  forwardPayload: payload,
});
/** Sent by wallets that omit the bit of the Either. */
export const jettonInternalTransferPlain = body("jetton_internal_transfer", 0x178d4519, {
  queryId,
  amount: vcoins,
  from: address,
  responseAddress: address,
  forwardTonAmount: vcoins,
  forwardPayload: rest,
});

export const jettonNotify = body("jetton_notify", 0x7362d09c, {
  queryId,
  amount: vcoins,
  sender: address,
  forwardPayload: payload,
});

export const jettonBurnBody = body("jetton_burn", 0x595f07bc, {
  queryId,
  amount: vcoins,
  responseDestination: address,
  customPayload: maybeRef,
});

/** The part that the service reads: a burn without the bit of the payload is a burn for it. */
export const jettonBurnShort = quietBody("jetton_burn", 0x595f07bc, {
  queryId,
  amount: vcoins,
  responseDestination: address,
});

export const jettonBurnNotification = body("jetton_burn_notification", 0x7bdd97de, {
  queryId,
  amount: vcoins,
  sender: address,
  responseDestination: address,
});

/** A mint that arrives is read from its arrival, so only a failed one needs an account here: external ones are kept. */
export const jettonMintBody = body("jetton_mint", 0x642b7d07, {
  queryId,
  toAddress: { ...servedAddress, show: accountAddress.show },
  tonAmount: coins,
});

export const minterJettonMint = body("minter_jetton_mint", 0x00000015, {
  queryId,
  toAddress: servedAddress,
  tonAmount: coins,
  masterMsg: cellRef,
});

export const jettonChangeAdmin = body("jetton_change_admin", 0x6501f354, { queryId, newAdminAddress: address });
export const jettonSetStatus = body("jetton_set_status", 0xeed236d3, { queryId, status: uint(4) });

/** In the order they are tried. */
export const jettonBodies: readonly Body<unknown>[] = [
  jettonTransferBody,
  jettonInternalTransfer,
  jettonInternalTransferPlain,
  jettonNotify,
  jettonBurnBody,
  jettonBurnNotification,
  jettonMintBody,
  minterJettonMint,
  jettonChangeAdmin,
  jettonSetStatus,
];
