import { findKnown } from "../../api/book.ts";
import type { DomainRecord } from "../../api/types.ts";
import { formatAddress, parseAddress } from "../../format/address.ts";
import { isDomain } from "../../format/domain.ts";

/** Who a form sends to: an address as it was typed, the wallet of a domain, or why there is nobody. */
export type Receiver =
  | { readonly kind: "empty" }
  | { readonly kind: "address"; readonly address: string; readonly domain?: string }
  | { readonly kind: "nobody"; readonly reason: string };

/** The state of a request for records. */
type Records =
  | { readonly kind: "idle" | "loading" }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "ok"; readonly data: { readonly records: readonly Pick<DomainRecord, "dns_wallet">[] } };

/** Reads the text of a field; a domain needs the answer to a request for its records. */
export function readReceiver(text: string, answer: Records): Receiver {
  const plain = text.trim();
  if (plain === "") return { kind: "empty" };
  if (parseAddress(plain) !== undefined) return { kind: "address", address: plain };
  if (!isDomain(plain)) return { kind: "nobody", reason: "This is not an address and not a domain such as alice.ton." };
  if (answer.kind !== "failed" && answer.kind !== "ok") return { kind: "nobody", reason: `Looking for ${plain}…` };
  if (answer.kind === "failed")
    return { kind: "nobody", reason: `The request for ${plain} failed: ${answer.error.message}` };
  const [record] = answer.data.records;
  if (record === undefined) return { kind: "nobody", reason: `This network has no domain ${plain}.` };
  const { dns_wallet: wallet } = record;
  if (wallet === null) return { kind: "nobody", reason: `The domain ${plain} has no record of a wallet.` };
  return { kind: "address", address: findKnown(wallet).friendly ?? formatAddress(wallet), domain: plain };
}
