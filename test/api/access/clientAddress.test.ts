import { describe, expect, it } from "vitest";
import { clientAddress, clientName, findIp, findIpRange, type IpRange } from "../../../src/api/access/clientAddress.ts";

function ranges(...texts: string[]): IpRange[] {
  return texts.map((text) => findIpRange(text)).filter((range) => range !== undefined);
}

describe("an address of the Internet", () => {
  it.each([
    ["1.2.3.4", 0x01020304n, 32],
    ["::ffff:1.2.3.4", 0x01020304n, 32],
    ["::ffff:102:304", 0x01020304n, 32],
    ["::", 0n, 128],
    ["::1", 1n, 128],
    ["2001:db8::1", 0x20010db8000000000000000000000001n, 128],
    ["2001:db8:1:2:3:4:5:6", 0x20010db8000100020003000400050006n, 128],
    ["fe80::1%eth0", 0xfe800000000000000000000000000001n, 128],
    ["64:ff9b::1.2.3.4", 0x0064ff9b000000000000000001020304n, 128],
  ])("%s is read", (text, bits, width) => {
    expect(findIp(text)).toEqual({ bits, width });
  });

  it.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1:2",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7:8:9",
    "g::1",
    "::1.2.3",
    "12345::",
    "1:2:3:4:5:6:7:8::",
  ])("%j is none", (text) => {
    expect(findIp(text)).toBeUndefined();
  });

  it("may stand for many", () => {
    expect(findIpRange("10.0.0.0/8")).toEqual({ bits: 0x0a000000n, width: 32, length: 8 });
    expect(findIpRange("::1")).toEqual({ bits: 1n, width: 128, length: 128 });
    expect(["10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "x/8", "::/129"].map(findIpRange)).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe("who asks", () => {
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

  it("is one by the address of version 4 and by the network of version 6", () => {
    expect(clientName("::ffff:1.2.3.4")).toBe("1.2.3.4");
    expect(clientName("2001:db8:1:2::1")).toBe("2001:0db8:0001:0002::/64");
    expect(clientName("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe("2001:0db8:0001:0002::/64");
    expect(clientName("2001:db8:1:3::1")).not.toBe(clientName("2001:db8:1:2::1"));
    expect(clientName("")).toBe("");
  });
});
