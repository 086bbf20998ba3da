import { findIpRange, type IpAddress, isWithin } from "../../lib/ip.ts";

/** Decides whether documents may be fetched from an address. */
export type AddressPolicy = (address: IpAddress) => boolean;

/** IPv4 ranges that are not public: loopback, private and reserved. */
const closedV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Of IPv6 only these ranges are public… */
const openV6 = ["2000::/3"];
/** …except these, which include all that embed an IPv4 address. */
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const rangesOf = (texts: readonly string[]) => texts.map(findIpRange).filter((range) => range !== undefined);
const [closed, open] = [rangesOf([...closedV4, ...closedV6]), rangesOf(openV6)];

/** Allows public addresses only. */
export const publicOnly: AddressPolicy = (address) => {
  if (closed.some((range) => isWithin(address, range))) return false;
  return address.width === 32 || open.some((range) => isWithin(address, range));
};
