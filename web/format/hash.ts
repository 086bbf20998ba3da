import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from "./bytes.ts";

/** Parses a 256-bit hash of any form to lower-case hex, which needs no escaping in a URL; `undefined` if invalid. */
export function parseHash(text: string): string | undefined {
  const plain = text.trim();
  // Base64 may also start with the letters 0x.
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(plain)?.[1];
  if (hex !== undefined) return hex.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return undefined;
  const bytes = base64ToBytes(plain);
  return bytes?.length === 32 ? bytesToHex(bytes) : undefined;
}

/** Hex for URLs of pages; text that is not a hash stays unchanged. */
export function hashInPath(hash: string): string {
  return parseHash(hash) ?? encodeURIComponent(hash);
}

/** The base64 form that the API uses. */
export function hashToBase64(hex: string): string {
  return bytesToBase64(hexToBytes(hex) ?? new Uint8Array());
}

/** The first and last characters of a long text. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
