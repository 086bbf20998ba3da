import { addressInPath, parseAddress } from "../format/address.ts";
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
  ["list", /^\/list\/(blocks|jettons|collections|accounts|validators)$/],
  ["address", /^\/address\/([^/]+)$/],
  ["domain", /^\/domain\/([^/]+)$/],
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
 * `/a/{address}`; and for addresses and hashes in base64 whose slashes are not escaped.
 */
export function findForeign(path: string): string | undefined {
  const whole = decode(path.replace(/^\/+/, ""));
  if (parseAddress(whole) !== undefined) return `/address/${addressInPath(whole)}`;
  const [, name = "", rest = ""] = /^([a-z]+)\/(.+)$/s.exec(whole) ?? [];
  const hash = parseHash(/^\d+:([^:]+):.+$/s.exec(rest)?.[1] ?? rest);
  if (name === "a" || name === "account") return `/address/${addressInPath(rest)}`;
  if (name === "transaction") return `/tx/${hash ?? encodeURIComponent(rest)}`;
  const isOne = path.split("/").length === 3 && !rest.includes(":");
  if (isOne) return undefined;
  if (hash !== undefined) return name === "tx" || name === "trace" ? `/${name}/${hash}` : undefined;
  const isAccount = name === "address" || name === "jetton" || name === "nft";
  const isSplit = isAccount && rest.includes("/") && parseAddress(rest) !== undefined;
  return isSplit ? `/${name}/${addressInPath(rest)}` : undefined;
}

function decode(part: string): string {
  try {
    return neutral(decodeURIComponent(part));
  } catch {
    return part;
  }
}
