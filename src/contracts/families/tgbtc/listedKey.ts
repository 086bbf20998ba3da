import type { Action } from "../../engine/Action.ts";

/**
 * The service stores the public key of `tgbtc_new_key` in a column of accounts, so that it lists the key among the
 * accounts of the action, without leading zeros. It is not an address, and the action cannot be found by it.
 */
export function findListedKey({ type, details }: Pick<Action, "type" | "details">): string | undefined {
  const isNewKey = type === "tgbtc_new_key" || type === "tgbtc_new_key_fallback";
  return isNewKey && typeof details.pubkey === "string" ? details.pubkey.replace(/^0+(?=.)/, "") : undefined;
}
