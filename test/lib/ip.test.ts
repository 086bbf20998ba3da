import { describe, expect, it } from "vitest";
import { findIp, findIpRange } from "../../src/lib/ip.ts";

describe("an IP address", () => {
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
  ])("%j is not an address", (text) => {
    expect(findIp(text)).toBeUndefined();
  });

  it("may be a range", () => {
    expect(findIpRange("10.0.0.0/8")).toEqual({ bits: 0x0a000000n, width: 32, length: 8 });
    expect(findIpRange("::1")).toEqual({ bits: 1n, width: 128, length: 128 });
    expect(["10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "x/8", "::/129"].map(findIpRange)).toEqual(
      Array(5).fill(undefined),
    );
  });
});
