/** An IP address as its bits: 32 or 128. */
export interface IpAddress {
  readonly bits: bigint;
  readonly width: 32 | 128;
}

/** A block of addresses that share their first `length` bits. */
export interface IpRange extends IpAddress {
  readonly length: number;
}

const mappedIpv4 = 0xffffn << 32n;

/** Parses an address of either version; an IPv4-mapped IPv6 address is an IPv4 address. */
export function findIp(text: string): IpAddress | undefined {
  const bare = text.replace(/%.*$/, "");
  const v4 = readV4(bare);
  if (v4 !== undefined) return { bits: v4, width: 32 };
  const v6 = bare.includes(":") ? readV6(bare) : undefined;
  if (v6 === undefined) return undefined;
  return v6 >> 32n === mappedIpv4 >> 32n ? { bits: v6 & 0xffff_ffffn, width: 32 } : { bits: v6, width: 128 };
}

function readV4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function readV6(text: string): bigint | undefined {
  const dotted = /^(.*:)([0-9.]+\.[0-9.]+)$/.exec(text);
  if (dotted !== null) {
    const v4 = readV4(dotted[2] ?? "");
    return v4 === undefined
      ? undefined
      : readV6(`${dotted[1]}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`);
  }
  const halves = text.split("::");
  const groups = halves.map((half) => (half === "" ? [] : half.split(":")));
  const [head = [], tail = []] = groups;
  const missing = 8 - head.length - tail.length;
  const whole = [...head, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...tail];
  const isWhole = halves.length === 1 ? missing === 0 : halves.length === 2 && missing >= 1;
  if (!isWhole || !whole.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return whole.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Parses `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function findIpRange(text: string): IpRange | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const ip = findIp(address);
  if (ip === undefined || rest.length > 0 || (length !== undefined && !/^[0-9]{1,3}$/.test(length))) return undefined;
  const bits = length === undefined ? ip.width : Number(length);
  return bits > ip.width ? undefined : { ...ip, length: bits };
}

/** Whether an address is in a block. */
export function isWithin(ip: IpAddress, range: IpRange): boolean {
  const shift = BigInt(range.width - range.length);
  return ip.width === range.width && ip.bits >> shift === range.bits >> shift;
}
