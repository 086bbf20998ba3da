import { findKnown } from "../api/book.ts";
import type { NftItem } from "../api/types.ts";
import { href } from "../browser/router.ts";
import { hueOf } from "../format/address.ts";
import { AddressLink, friendlyOf } from "./AddressLink.tsx";
import { Badge } from "./values.tsx";

/** The name of an item from its content: untrusted text. */
export function nameNft(item: NftItem): string {
  const { token } = findKnown(item.address);
  const own = Object(item.content) as { readonly name?: unknown; readonly domain?: unknown };
  const name = token?.name ?? (typeof own.name === "string" ? own.name : own.domain);
  return typeof name === "string" && name !== ""
    ? name.slice(0, 80)
    : `Item ${item.index.length > 12 ? "" : item.index}`;
}

/** NFTs as cards with a generated placeholder; images of strangers are not loaded. */
export function NftCards({ items }: { readonly items: readonly NftItem[] }) {
  return (
    <ul class="cards">
      {items.map((item) => (
        <li key={item.address}>
          <Placeholder address={item.address} />
          <a href={href(`/nft/${friendlyOf(item.address)}`)}>
            <bdi class="name">{nameNft(item)}</bdi>
          </a>
          {item.on_sale && <Badge tone="warn">on sale</Badge>}
          {item.owner_address !== null && (
            <span class="small">
              Owner: <AddressLink address={item.real_owner ?? item.owner_address} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A drawing derived from the address, so that items differ. */
export function Placeholder({ address }: { readonly address: string }) {
  const hue = hueOf(address);
  const bits = Number.parseInt(address.slice(-6) || "0", 16) || 0;
  const cells = Array.from({ length: 15 }, (_none, at) => at).filter((at) => (bits >> at) & 1);
  return (
    <svg class="placeholder" viewBox="0 0 50 50" aria-hidden="true">
      <rect width="50" height="50" fill={`hsl(${hue} 45% 85%)`} />
      {cells.flatMap((at) => {
        const [column, row] = [at % 3, Math.floor(at / 3)];
        return [column, 4 - column].map((x) => (
          <rect key={`${x} ${row}`} x={x * 10} y={row * 10} width="10" height="10" fill={`hsl(${hue} 55% 50%)`} />
        ));
      })}
    </svg>
  );
}
