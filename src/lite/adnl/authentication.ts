import { verify } from "node:crypto";
import { concatBytes } from "../../lib/bytes.ts";
import type { Random } from "../../lib/random.ts";
import { LiteError } from "../errors.ts";
import type { publicKey, tcpAuthentificationComplete } from "../tl/adnlRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { verifyingKey } from "./keys.ts";

/** How far a client has come in showing a key of its own, which it may do after the handshake but need not. */
export type Authentication =
  | { readonly kind: "none" }
  | { readonly kind: "asked"; readonly nonce: Uint8Array }
  | { readonly kind: "shown"; readonly publicKey: Uint8Array };

const maxClientNonce = 512;
const serverNonceLength = 256;

/** The client wants to show a key: it has to sign its own nonce followed by the server's. */
export function askForSignature(clientNonce: Uint8Array, random: Random): Authentication & { kind: "asked" } {
  if (clientNonce.length === 0 || clientNonce.length > maxClientNonce) {
    throw new LiteError("lite/handshake", `a nonce of ${clientNonce.length} bytes, not 1 to ${maxClientNonce}`);
  }
  return { kind: "asked", nonce: concatBytes([clientNonce, random.bytes(serverNonceLength)]) };
}

/** The client has signed: the key counts as shown when the signature is right. */
export function checkSignature(
  state: Authentication,
  { key, signature }: TlValue<typeof tcpAuthentificationComplete>,
): Authentication & { kind: "shown" } {
  if (state.kind !== "asked") {
    throw new LiteError("lite/handshake", "a client signed a nonce it had not asked for");
  }
  const shown = ed25519Of(key);
  if (!verify(null, state.nonce, verifyingKey(shown), signature)) {
    throw new LiteError("lite/handshake", "a client signed a nonce with another key than it showed");
  }
  return { kind: "shown", publicKey: shown };
}

function ed25519Of(key: TlValue<typeof publicKey>): Uint8Array {
  if (key.kind !== "ed25519") {
    throw new LiteError("lite/handshake", `a client showed a key of kind ${key.kind}, which cannot sign`);
  }
  return new Uint8Array(key.key);
}
