import { verify } from "node:crypto";
import { concatBytes } from "../../lib/bytes.ts";
import type { Random } from "../../lib/random.ts";
import { LiteError } from "../errors.ts";
import type { publicKey, tcpAuthentificationComplete } from "../tl/adnlRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { verifyingKey } from "./publicKeys.ts";

/** State of the client's authentication. It is optional and follows the handshake; the C++ clients always do it. */
export type Authentication =
  | { readonly kind: "none" }
  | { readonly kind: "asked"; readonly serverNonce: Uint8Array; readonly signed: Uint8Array }
  | { readonly kind: "shown"; readonly publicKey: Uint8Array };

const maxClientNonce = 512;
const serverNonceLength = 256;

/**
 * Starts authentication. The server sends only its own nonce; the client signs its nonce followed by the server's. A
 * client may start once per connection.
 */
export function askForSignature(
  state: Authentication,
  clientNonce: Uint8Array,
  random: Random,
): Authentication & { kind: "asked" } {
  if (state.kind !== "none") throw new LiteError("lite/handshake", "a client started authentication twice");
  if (clientNonce.length === 0 || clientNonce.length > maxClientNonce)
    throw new LiteError("lite/handshake", `a nonce of ${clientNonce.length} bytes; the limit is ${maxClientNonce}`);
  const serverNonce = random.bytes(serverNonceLength);
  return { kind: "asked", serverNonce, signed: concatBytes([clientNonce, serverNonce]) };
}

/** Checks the client's signature; with it the client has proved to hold the key. */
export function checkSignature(
  state: Authentication,
  { key, signature }: TlValue<typeof tcpAuthentificationComplete>,
): Authentication & { kind: "shown" } {
  if (state.kind !== "asked") throw new LiteError("lite/handshake", "a client signed a nonce that it did not request");
  const shown = ed25519Of(key);
  if (!verify(null, state.signed, verifyingKey(shown), signature))
    throw new LiteError("lite/handshake", "a client signed a nonce with a key other than the one it sent");
  return { kind: "shown", publicKey: shown };
}

function ed25519Of(key: TlValue<typeof publicKey>): Uint8Array {
  if (key.kind !== "ed25519")
    throw new LiteError("lite/handshake", `a client sent a key of kind ${key.kind}, which cannot sign`);
  return new Uint8Array(key.key);
}
