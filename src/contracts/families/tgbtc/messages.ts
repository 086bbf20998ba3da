import { address } from "../../kit/addressFields.ts";
import { type Body, bareOpcode, bodies } from "../../kit/declare.ts";
import { coins, uint64, uint256 } from "../../kit/fields.ts";

const events = bodies({
  tgbtcMintEvent: [0x77a80ef3, { amount: coins, recipientAddress: address, bitcoinTxid: uint256 }],
  tgbtcBurnEvent: [0xca444ce6, { amount: coins, senderAddress: address, pegoutAddress: address }],
  tgbtcNewKeyEvent: [0x27756729, { amount: coins, newInternalPubkey: uint256, pegoutAddress: address }],
  tgbtcDkgCompletedEvent: [0x453443a6, { timestamp: uint64, internalPubkey: uint256 }],
});

/** The public index has no names for these. */
export const tgbtcMintHead = bareOpcode("tgbtc_mint_head", 0x3f781d24);
export const tgbtcMintEnd = bareOpcode("tgbtc_mint_end", 0xe42a879b);
export const tgbtcBurnNotification = bareOpcode("tgbtc_burn_notification", 0x587643a2);
export const tgbtcKeyChange = bareOpcode("tgbtc_key_change", 0x690f357a);
export const tgbtcNotice = bareOpcode("tgbtc_notice", 0xbe44e7a6);

/** In the order they are tried. */
export const tgbtcBodies: readonly Body<unknown>[] = Object.values(events);
