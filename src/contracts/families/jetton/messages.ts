import { accountAddress, address, partyAddress, servedAddress } from "../../kit/addressFields.ts";
import type { Body } from "../../kit/declare.ts";
import { bool, cellRef, coins, maybeRef, maybeRefTo, payload, rest, uint, vcoins } from "../../kit/fields.ts";
import { queryBodies, queryBody, quietQueryBody } from "../../kit/queryBody.ts";

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
export const jettonTransferBody = queryBody("jetton_transfer", 0x0f8a7ea5, {
  amount: vcoins,
  destination: partyAddress,
  responseDestination: partyAddress,
  customPayload: maybeRef,
  forwardTonAmount: vcoins,
  forwardPayload: payload,
});

// internal_transfer#178d4519 query_id:uint64 amount:(VarUInteger 16) from:MsgAddress response_address:MsgAddress
//   forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
const internal = { amount: vcoins, from: address, responseAddress: address, forwardTonAmount: vcoins };
/** Sent by wallets that omit the bit of the Either. */
export const jettonInternalTransferPlain = queryBody("jetton_internal_transfer", 0x178d4519, {
  ...internal,
  forwardPayload: rest,
});

/** The part of a burn that the service reads: without the bit of the payload it is a burn, too. */
const burn = { amount: vcoins, responseDestination: address };
export const jettonBurnShort = quietQueryBody("jetton_burn", 0x595f07bc, burn);
export const jettonBurnBody = queryBody("jetton_burn", 0x595f07bc, { ...burn, customPayload: maybeRef });

/** A mint that arrives is read from its arrival, so only a failed one needs an account here: external ones are kept. */
export const jettonMintBody = queryBody("jetton_mint", 0x642b7d07, {
  toAddress: { ...servedAddress, show: accountAddress.show },
  tonAmount: coins,
});

const queries = queryBodies({
  jettonInternalTransfer: [0x178d4519, { ...internal, forwardPayload: payload }],
  jettonNotify: [0x7362d09c, { amount: vcoins, sender: address, forwardPayload: payload }],
  jettonBurnNotification: [0x7bdd97de, { amount: vcoins, sender: address, responseDestination: address }],
  minterJettonMint: [0x00000015, { toAddress: servedAddress, tonAmount: coins, masterMsg: cellRef }],
  jettonChangeAdmin: [0x6501f354, { newAdminAddress: address }],
  jettonSetStatus: [0xeed236d3, { status: uint(4) }],
});
export const {
  jettonInternalTransfer,
  jettonNotify,
  jettonBurnNotification,
  minterJettonMint,
  jettonChangeAdmin,
  jettonSetStatus,
} = queries;

/* The public decoder does not know these. */

/** What is left of the coins of a request. */
export const excesses = queryBody("excesses", 0xd53276db);
export const provideWalletAddress = queryBody("provide_wallet_address", 0x2c76b973, {
  owner: accountAddress,
  includeAddress: bool,
});
export const takeWalletAddress = queryBody("take_wallet_address", 0xd1735400, {
  wallet: partyAddress,
  owner: maybeRefTo(partyAddress),
});

/** In the order they are tried. */
export const jettonBodies: readonly Body<unknown>[] = [
  jettonTransferBody,
  ...Object.values(queries),
  jettonInternalTransferPlain,
  jettonBurnBody,
  jettonMintBody,
];
