import { base64ToBytes, bytesToBase64, bytesToHex, crc16, hexToBytes } from "./bytes.ts";

const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

/** Parses an address of any form to `workchain:HEX`, the form of v3; `undefined` if invalid. */
export function parseAddress(text: string): string | undefined {
  const plain = text.trim();
  const raw = /^(-1|0|[1-9]\d{0,9}|-[1-9]\d{0,9}):([0-9a-f]{64})$/i.exec(plain);
  if (raw !== null) return `${raw[1]}:${(raw[2] ?? "").toUpperCase()}`;
  const bytes = plain.length === 48 ? base64ToBytes(plain) : undefined;
  if (bytes?.length !== 36) return undefined;
  const [flags = 0, workchain = 0] = bytes;
  const kind = flags & ~testOnly;
  const isIntact = crc16(bytes.subarray(0, 34)) === ((bytes[34] ?? 0) << 8) + (bytes[35] ?? 0);
  if ((kind !== bounceable && kind !== nonBounceable) || !isIntact) return undefined;
  return `${(workchain << 24) >> 24}:${bytesToHex(bytes.subarray(2, 34)).toUpperCase()}`;
}

/** An address of any form as a path has it: slashes and pluses of base64 need no escape as `_` and `-`. */
export function addressInPath(text: string): string {
  return text.trim().replaceAll("+", "-").replaceAll("/", "_");
}

/** The friendly form of a raw address; unchanged if it has none. */
export function formatAddress(raw: string, isBounceable = true): string {
  const [workchain = "", account = ""] = raw.split(":");
  const number = Number(workchain);
  const hash = hexToBytes(account);
  if (hash?.length !== 32 || number < -128 || number > 127) return raw;
  const bytes = new Uint8Array(36);
  bytes[0] = isBounceable ? bounceable : nonBounceable;
  bytes[1] = number & 0xff;
  bytes.set(hash, 2);
  const crc = crc16(bytes.subarray(0, 34));
  bytes[34] = crc >> 8;
  bytes[35] = crc & 0xff;
  return addressInPath(bytesToBase64(bytes));
}

/** A hue from 0 to 359, so that an account has the same colour everywhere. */
export function hueOf(raw: string): number {
  const account = raw.slice(raw.indexOf(":") + 1);
  return Number.parseInt(account.slice(0, 6) || "0", 16) % 360 || 0;
}
