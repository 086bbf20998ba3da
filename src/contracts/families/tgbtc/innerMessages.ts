import { type Address, makeAddress } from "../../../model/Address.ts";
import type { AnyAddress } from "../../../model/messageAddress.ts";
import { wideAddress } from "../../kit/addressFields.ts";
import { type Field, quietBody } from "../../kit/declare.ts";
import { coins, uint64, uint256 } from "../../kit/fields.ts";

/** An address as the public index takes it: an anycast prefix is left out of account. */
const bareAddress: Field<Address | undefined> = {
  load: (slice) => withoutAnycast(wideAddress.load(slice)),
  show: wideAddress.show,
};

function withoutAnycast(found: AnyAddress): Address | undefined {
  if (found === undefined || typeof found === "string") return found;
  return found.kind === "standard" ? makeAddress(found.workchain, found.account) : undefined;
}

/** The logs of the bridge, read as the public index reads them. */
export const mintLog = quietBody("tgbtc_mint_log", 0x77a80ef3, {
  amount: coins,
  recipient: bareAddress,
  bitcoinTxid: uint256,
});
export const burnLog = quietBody("tgbtc_burn_log", 0xca444ce6, {
  amount: coins,
  sender: bareAddress,
  pegout: bareAddress,
});
export const newKeyLog = quietBody("tgbtc_new_key_log", 0x27756729, {
  amount: coins,
  pubkey: uint256,
  pegout: bareAddress,
});
export const dkgLog = quietBody("tgbtc_dkg_log", 0x453443a6, { timestamp: uint64, pubkey: uint256 });

/** Sent by a new peg-out contract to whoever watches it. */
export const pegoutReady = 0x1a84c0e0;
