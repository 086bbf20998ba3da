import type { Action } from "../../engine/Action.ts";

/**
 * The service keeps the public key of `tgbtc_new_key` in a column of accounts, so that it lists the key among the
 * accounts of the action, without leading zeros. It is no address, and no account finds the action by it.
 */
export function findListedKey({ type, details }: Pick<Action, "type" | "details">): string | undefined {
  const isNewKey = type === "tgbtc_new_key" || type === "tgbtc_new_key_fallback";
  return isNewKey && typeof details.pubkey === "string" ? details.pubkey.replace(/^0+(?=.)/, "") : undefined;
}
