import { describe, expect, it } from "vitest";
import { clientAddress, clientName } from "../../../src/api/access/clientAddress.ts";
import { findIpRange, type IpRange } from "../../../src/lib/ip.ts";

function ranges(...texts: string[]): IpRange[] {
  return texts.map((text) => findIpRange(text)).filter((range) => range !== undefined);
}

describe("the client of a request", () => {
  const proxies = ranges("10.0.0.0/8", "::1/128");

  it.each([
    ["the peer, when nobody is trusted", "10.0.0.1", "1.1.1.1", [], "10.0.0.1"],
    ["the peer, when it is no proxy", "9.9.9.9", "1.1.1.1", proxies, "9.9.9.9"],
    ["the one a proxy names", "10.0.0.1", "1.1.1.1", proxies, "1.1.1.1"],
    [
      "the last stranger, not what strangers claim before",
      "10.0.0.1",
      "6.6.6.6, 1.1.1.1, 10.0.0.2",
      proxies,
      "1.1.1.1",
    ],
    ["the first, when all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", proxies, "10.0.0.3"],
    ["the proxy, when it names nobody", "10.0.0.1", undefined, proxies, "10.0.0.1"],
    ["the proxy, when it writes nonsense", "10.0.0.1", "1.1.1.1, nonsense", proxies, "10.0.0.1"],
    ["the one named by a proxy of version 6", "::1", "2001:db8::5", proxies, "2001:db8::5"],
    ["a proxy in clothes of version 6 is the same proxy", "::ffff:10.0.0.1", "1.1.1.1", proxies, "1.1.1.1"],
  ])("is %s", (_what, peer, forwarded, trusted, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected);
  });

  it("is identified by the IPv4 address or the IPv6 network", () => {
    expect(clientName("::ffff:1.2.3.4")).toBe("1.2.3.4");
    expect(clientName("2001:db8:1:2::1")).toBe("2001:0db8:0001:0002::/64");
    expect(clientName("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe("2001:0db8:0001:0002::/64");
    expect(clientName("2001:db8:1:3::1")).not.toBe(clientName("2001:db8:1:2::1"));
    expect(clientName("")).toBe("");
  });
});
