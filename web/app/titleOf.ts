import { nameOf } from "../api/book.ts";
import { about } from "../api/features.ts";
import type { Route } from "../browser/routes.ts";
import { parseAddress } from "../format/address.ts";
import { formatCount } from "../format/coins.ts";
import { parseHash, shorten } from "../format/hash.ts";

/** What a page shows, by its name; those with an address or a hash are named after it. */
const pageTitles: Readonly<Record<string, string>> = {
  home: "",
  address: "Account",
  domain: "Domain",
  tx: "Transaction",
  trace: "Trace",
  config: "Configuration",
  jetton: "Jetton",
  nft: "NFT",
  cell: "Cell inspector",
  emulate: "Emulate",
  status: "Status",
  local: "Local network",
  list: "List of",
};

/** The title of a page: what it shows first, so that tabs and bookmarks can be told apart. */
export function titleOf(route: Route, query: URLSearchParams): string {
  const network = about().network;
  const end = network === "" ? "Tongate explorer" : `${network} · Tongate explorer`;
  const first = route.kind === "page" ? firstPart(route.name, route.params, query) : "No such page";
  return first === "" ? end : `${first} · ${end}`;
}

function firstPart(page: string, params: readonly string[], query: URLSearchParams): string {
  const [first = "", , third = ""] = params;
  if (page === "search") return `Search for ${(query.get("q") ?? "").slice(0, 60)}`;
  if (page === "block") return `${first === "-1" ? "Block" : "Shard block"} ${formatCount(third)}`;
  const title = pageTitles[page] ?? page;
  const address = parseAddress(first);
  const name = address === undefined ? undefined : (nameOf(address) ?? shorten(first, 6, 4));
  if (name !== undefined) return name.startsWith(title) ? name : `${title} ${name}`;
  return `${title} ${shorten(parseHash(first) ?? first, 8, 6)}`.trim();
}
