import type { Codec } from "../cell/codec.ts";
import type { Hash } from "../cell/Hash.ts";
import { toHex } from "../lib/bytes.ts";
import { ModelError } from "./errors.ts";

export type { Hash } from "../cell/Hash.ts";
export { zeroHash } from "../cell/Hash.ts";

// bits256
export const hash: Codec<Hash> = {
  load: (slice) => slice.loadHash(),
  store: (builder, value) => void builder.storeHex(value),
};

/** Parses a hash in any common form: hex of either case, base64 with padding, base64url with or without. */
export function parseHash(text: string): Hash {
  const hash = findHash(text);
  if (hash === undefined) throw new ModelError("model/hash", `${JSON.stringify(text)} is not a hash`);
  return hash;
}

/** Like `parseHash`; `undefined` when the text is not a hash. */
export function findHash(text: string): Hash | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hash;
  if (!/^(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9_-]{43}=?)$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === 32 ? (bytes.toString("hex") as Hash) : undefined;
}

export function hashFromBytes(bytes: Uint8Array): Hash {
  if (bytes.length !== 32) throw new ModelError("model/hash", `a hash of ${bytes.length} bytes`);
  return toHex(bytes) as Hash;
}

export function hashToBytes(value: Hash): Buffer {
  return Buffer.from(value, "hex");
}

/** A reused buffer, so that no memory is allocated per call. */
const scratch = Buffer.alloc(32);

export function hashToBase64(value: Hash): string {
  return scratch.toString("base64", 0, scratch.write(value, "hex"));
}
