import { sliceOf } from "../../../cell/Slice.ts";
import { cellOf } from "../../engine/messageParts.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { address, partyAddress } from "../../kit/addressFields.ts";
import { quietBody } from "../../kit/declare.ts";
import { refusable } from "../../kit/entity.ts";
import { coins, uint64, uint256 } from "../../kit/fields.ts";

/** The logs of the bridge, decoded as in the public index. */
export const mintLog = quietBody("tgbtc_mint_log", 0x77a80ef3, {
  amount: coins,
  recipient: partyAddress,
  bitcoinTxid: uint256,
});
export const burnLog = quietBody("tgbtc_burn_log", 0xca444ce6, { amount: coins });

/** Unreadable addresses are absent for the service; the amount is required. */
export function readBurnLog(node: TraceNode) {
  const log = sliceOf(cellOf(node)).skip(32);
  const amount = log.loadCoins();
  const sender = refusable(() => address.load(log));
  return { amount, sender, pegout: refusable(() => address.load(log)) };
}

export const newKeyLog = quietBody("tgbtc_new_key_log", 0x27756729, {
  amount: coins,
  pubkey: uint256,
  pegout: partyAddress,
});
export const dkgLog = quietBody("tgbtc_dkg_log", 0x453443a6, { timestamp: uint64, pubkey: uint256 });

/** Sent by a new peg-out contract to its observers. */
export const pegoutReady = 0x1a84c0e0;
