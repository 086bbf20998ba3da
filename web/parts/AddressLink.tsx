import { findKnown, nameOf } from "../api/book.ts";
import { href } from "../browser/router.ts";
import { formatAddress, hueOf } from "../format/address.ts";
import { shorten } from "../format/hash.ts";
import { nameInterface } from "../format/names.ts";
import { Copy } from "./Copy.tsx";

/** The friendly form of an address from the address book; otherwise the bounceable form. */
export function friendlyOf(address: string): string {
  return findKnown(address).friendly ?? formatAddress(address);
}

/** The name of an account, or its short address. */
export function briefOf(address: string): string {
  return nameOf(address) ?? shorten(friendlyOf(address), 4, 4);
}

/** The colour of an account, the same on every page. */
export function AccountDot({ address }: { readonly address: string }) {
  return (
    <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={`hsl(${hueOf(address)} 65% 52%)`} />
    </svg>
  );
}

interface Props {
  readonly address: string | null | undefined;
  /** Shows the whole address and a copy button. */
  readonly isFull?: boolean;
}

/** An account: its colour, its name or address, and a link to its page. */
export function AddressLink({ address, isFull = false }: Props) {
  if (address === null || address === undefined) return <span class="muted">nobody</span>;
  const friendly = friendlyOf(address);
  const name = nameOf(address);
  const kind = findKnown(address).interfaces.map(nameInterface).join(", ");
  return (
    <span class="address">
      <AccountDot address={address} />
      <a href={href(`/address/${friendly}`)} title={kind === "" ? friendly : `${friendly} (${kind})`}>
        {name === undefined ? <code>{isFull ? friendly : shorten(friendly)}</code> : <bdi class="name">{name}</bdi>}
        {isFull && name !== undefined && <code class="beside">{friendly}</code>}
      </a>
      {isFull && <Copy text={friendly} what="address" />}
    </span>
  );
}
