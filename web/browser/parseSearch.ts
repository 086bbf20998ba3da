import { addressInPath, parseAddress } from "../format/address.ts";
import { isDomain } from "../format/domain.ts";
import { parseHash } from "../format/hash.ts";
import { findForeign } from "./routes.ts";

/** The possible meaning of a search text, by its form alone. */
export type SearchTarget =
  | { readonly kind: "nothing" }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "seqno"; readonly seqno: number }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "bag"; readonly boc: string }
  | { readonly kind: "words"; readonly words: string };

/**
 * Parses the text: an address, a hash, a seqno, a block id, a domain, a link of any explorer, a bag of cells, or words.
 */
export function parseSearch(text: string): SearchTarget {
  const plain = text.trim();
  if (plain === "") return { kind: "nothing" };
  const link = readLink(plain);
  if (link !== undefined) return { kind: "path", path: link };
  // A plus of base64 that nobody escaped has become a space.
  const address = plain.replaceAll(" ", "+");
  if (parseAddress(address) !== undefined) return { kind: "path", path: `/address/${addressInPath(address)}` };
  const hash = parseHash(plain);
  if (hash !== undefined) return { kind: "hash", hash };
  if (/^\d{1,10}$/.test(plain)) return { kind: "seqno", seqno: Number(plain) };
  const block = /^\(?\s*(-?\d+)\s*[,:]\s*([0-9a-f]{1,16})\s*[,:]\s*(\d+)\s*\)?$/i.exec(plain);
  if (block !== null) return { kind: "path", path: `/block/${block[1]}/${(block[2] ?? "").toUpperCase()}/${block[3]}` };
  if (isDomain(plain)) return { kind: "domain", domain: plain.toLowerCase() };
  const bag = plain.replace(/\s+/g, "");
  if (/^(?:te6|b5ee9c72)/i.test(bag) && bag.length > 16) return { kind: "bag", boc: bag };
  return { kind: "words", words: plain };
}

/** The path of a link to any explorer, including this one. */
function readLink(text: string): string | undefined {
  if (!/^(?:https?|ton):\/\//i.test(text)) return undefined;
  try {
    const { pathname } = new URL(text);
    const path = pathname.replace(/^\/explorer(?=\/)/, "").replace(/^\/\/transfer/, "");
    return findForeign(path) ?? (/^\/(?:address|tx|trace|block|jetton|nft|config)\//.test(path) ? path : undefined);
  } catch {
    return undefined;
  }
}
