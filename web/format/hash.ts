import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from "./bytes.ts";

/** A 256-bit hash in any of its spellings as lower-case hex, which needs no escaping in an address; else `undefined`. */
export function parseHash(text: string): string | undefined {
  const plain = text.trim();
  // Base64 may begin with the letters 0x too.
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(plain)?.[1];
  if (hex !== undefined) return hex.toLowerCase();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return undefined;
  const bytes = base64ToBytes(plain);
  return bytes?.length === 32 ? bytesToHex(bytes) : undefined;
}

/** Hex for addresses of pages; text that is no hash stays as it is. */
export function hashInPath(hash: string): string {
  return parseHash(hash) ?? encodeURIComponent(hash);
}

/** Hex as the API spells it. */
export function hashToBase64(hex: string): string {
  return bytesToBase64(hexToBytes(hex) ?? new Uint8Array());
}

/** The ends of a long text, to be told apart at a glance. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
