import { describe, expect, it } from "vitest";
import { publicOnly } from "../../../src/history/metadata/AddressPolicy.ts";
import { findIp } from "../../../src/lib/ip.ts";

function isAllowed(text: string): boolean {
  const ip = findIp(new URL(`http://${text.includes(":") ? `[${text}]` : text}/`).hostname.replace(/[[\]]/g, ""));
  return ip !== undefined && publicOnly(ip);
}

describe("the public Internet", () => {
  it.each(["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "2606:4700::1111"])(
    "includes %s",
    (address) => {
      expect(isAllowed(address)).toBe(true);
    },
  );

  it.each([
    ["this machine", "127.0.0.1"],
    ["this machine", "127.255.255.254"],
    ["this machine, as one number", "2130706433"],
    ["this machine in octal", "0177.0.0.1"],
    ["this machine in hexadecimal", "0x7f.1"],
    ["this machine, short", "127.1"],
    ["no address", "0.0.0.0"],
    ["no address, as a number", "0"],
    ["a private network", "10.1.2.3"],
    ["a private network", "172.16.0.1"],
    ["a private network", "172.31.255.255"],
    ["a private network", "192.168.1.1"],
    ["carriers' own", "100.64.0.1"],
    ["carriers' own", "100.127.255.255"],
    ["the link", "169.254.169.254"],
    ["protocol assignments", "192.0.0.8"],
    ["benchmarks", "198.18.0.1"],
    ["examples", "203.0.113.9"],
    ["many at once", "224.0.0.1"],
    ["all at once", "255.255.255.255"],
    ["the future", "240.0.0.1"],
    ["this machine", "::1"],
    ["no address", "::"],
    ["this machine as version 4 in version 6", "::ffff:127.0.0.1"],
    ["the same in hexadecimal", "::ffff:7f00:1"],
    ["version 4 in version 6, the old way", "::127.0.0.1"],
    ["version 4 translated", "64:ff9b::7f00:1"],
    ["version 4 translated, locally", "64:ff9b:1::7f00:1"],
    ["version 4 in 6to4", "2002:7f00:1::"],
    ["version 4 in Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["unique local addresses", "fd00::1"],
    ["unique local addresses", "fc00::1"],
    ["the link", "fe80::1"],
    ["the site, as it once was", "fec0::1"],
    ["many at once", "ff02::1"],
    ["examples", "2001:db8::1"],
    ["examples", "3fff::1"],
  ])("excludes %s: %s", (_, address) => {
    expect(isAllowed(address)).toBe(false);
  });
});
