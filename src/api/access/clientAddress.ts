import { findIp, type IpRange, isWithin } from "../../lib/ip.ts";

/**
 * The real client: the peer, unless it is a trusted proxy; then the last address in `X-Forwarded-For` that is not a
 * trusted proxy too. Entries further left are not trusted.
 */
export function clientAddress(peer: string, forwarded: string | undefined, trusted: readonly IpRange[]): string {
  const isTrusted = (text: string) => {
    const ip = findIp(text);
    return ip !== undefined && trusted.some((range) => isWithin(ip, range));
  };
  const hops = forwarded === undefined || trusted.length === 0 ? [] : forwarded.split(",").map((hop) => hop.trim());
  let address = peer;
  while (hops.length > 0 && isTrusted(address)) {
    const hop = hops.pop() ?? "";
    if (findIp(hop) === undefined) return address;
    address = hop;
  }
  return address;
}

/** One name per client: the IPv4 address, or the first 64 bits of the IPv6 address, which one household gets. */
export function clientName(address: string): string {
  const ip = findIp(address);
  if (ip === undefined) return address;
  if (ip.width === 128) {
    return `${(ip.bits >> 64n)
      .toString(16)
      .padStart(16, "0")
      .replace(/.{4}(?=.)/g, "$&:")}::/64`;
  }
  return [24n, 16n, 8n, 0n].map((shift) => (ip.bits >> shift) & 0xffn).join(".");
}

/** The site of a client of IPv6, the first 48 bits, by the client's name; one holder may have all networks of it. */
export function siteName(client: string): string | undefined {
  return client.endsWith("::/64") ? `${client.slice(0, "0000:0000:0000".length)}::/48` : undefined;
}
