import { parseAddress } from "../format/address.ts";
import { parseHash } from "../format/hash.ts";
import { neutral } from "../format/neutral.ts";

/** The target of a path: a page, another path, or nothing. */
export type Route =
  | { readonly kind: "page"; readonly name: string; readonly params: readonly string[] }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "unknown" };

const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["home", /^\/$/],
  ["search", /^\/search$/],
  ["address", /^\/address\/([^/]+)$/],
  ["tx", /^\/tx\/([^/]+)$/],
  ["trace", /^\/trace\/([^/]+)$/],
  ["block", /^\/block\/(-?\d+)\/([0-9a-fA-F]+)\/(\d+)$/],
  ["config", /^\/config(?:\/(\d+))?$/],
  ["jetton", /^\/jetton\/([^/]+)$/],
  ["nft", /^\/nft\/([^/]+)$/],
  ["cell", /^\/cell$/],
  ["emulate", /^\/emulate$/],
  ["status", /^\/status$/],
  ["local", /^\/local$/],
];

/** Finds the page of a path. URLs of other explorers lead to the equivalent page. */
export function findRoute(path: string): Route {
  const foreign = findForeign(path);
  if (foreign !== undefined) return { kind: "redirect", to: foreign };
  for (const [name, pattern] of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { kind: "page", name, params: match.slice(1).map((part) => decode(part ?? "")) };
  }
  return { kind: "unknown" };
}

/**
 * Our path for a path of another explorer: `/transaction/{hash}`, `/{address}`, `/tx/{lt}:{hash}:{address}`,
 * `/a/{address}`.
 */
export function findForeign(path: string): string | undefined {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  const [first = "", second = ""] = parts;
  if (parts.length === 1) {
    const address = parseAddress(first);
    return address === undefined ? undefined : `/address/${first}`;
  }
  const key = `${first}/`;
  if (key === "a/" || key === "account/") return `/address/${second}`;
  if (key === "transaction/") return `/tx/${parseHash(second) ?? second}`;
  const long = key === "tx/" ? /^\d+:([^:]+):.+$/.exec(second) : null;
  const hash = parseHash(long?.[1] ?? "");
  return hash === undefined ? undefined : `/tx/${hash}`;
}

function decode(part: string): string {
  try {
    return neutral(decodeURIComponent(part));
  } catch {
    return part;
  }
}
