import { findIpRange, type IpAddress, isWithin } from "../../lib/ip.ts";

/** Decides whether something may be fetched from an address of the Internet. */
export type AddressPolicy = (address: IpAddress) => boolean;

/** Blocks of version 4 that are not the public Internet: this machine, its neighbours, and what is set apart. */
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

/** Of version 6 only these are handed out to the public… */
const openV6 = ["2000::/3"];
/** …but for these, among them all that carry an address of version 4 inside. */
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const rangesOf = (texts: readonly string[]) => texts.map(findIpRange).filter((range) => range !== undefined);
const [closed, open] = [rangesOf([...closedV4, ...closedV6]), rangesOf(openV6)];

/** Allows addresses of the public Internet and no other. */
export const publicOnly: AddressPolicy = (address) => {
  if (closed.some((range) => isWithin(address, range))) return false;
  return address.width === 32 || open.some((range) => isWithin(address, range));
};
