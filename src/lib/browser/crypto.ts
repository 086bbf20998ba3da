import { Buffer } from "./Buffer.ts";
import { type Ed25519Key, ed25519Key } from "./ed25519.ts";
import { sha256 } from "./sha256.ts";
import { sha512 } from "./sha512.ts";

/*
 * What this program uses of `node:crypto`, for bundles for browsers. The cryptography of browsers is asynchronous, and
 * there is none for pages without TLS.
 */

const hashes = { sha256, sha512 } as const;
type HashName = keyof typeof hashes;
type TextForm = "hex" | "binary";

export type KeyObject = Ed25519Key;

interface OpenHash {
  update(part: Uint8Array | string): OpenHash;
  digest(): Buffer;
  digest(form: TextForm): string;
}

export function createHash(name: HashName): OpenHash {
  const parts: Uint8Array[] = [];
  function digest(): Buffer;
  function digest(form: TextForm): string;
  function digest(form?: TextForm): Buffer | string {
    const bytes = Buffer.from(hashes[name](Buffer.concat(parts)));
    return form === undefined ? bytes : bytes.toString(form);
  }
  const hash: OpenHash = {
    update: (part) => {
      parts.push(Buffer.from(part));
      return hash;
    },
    digest,
  };
  return hash;
}

export function hash(name: HashName, data: Uint8Array | string, form: TextForm): string {
  return createHash(name).update(data).digest(form);
}

type KeySource =
  | { readonly format: "jwk"; readonly key: { readonly x: string } }
  | { readonly format: "der"; readonly key: Uint8Array };

/** What comes before the 32 bytes of a key in its DER form. */
const derPrefixBytes = 12;

/** An Ed25519 key; throws for bytes that are no point. */
export function createPublicKey(source: KeySource): KeyObject {
  const { format, key } = source;
  return ed25519Key(format === "jwk" ? Buffer.from(key.x, "base64url") : key.subarray(derPrefixBytes));
}

export function verify(_digest: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  return key.verify(data, signature);
}
