import { createHash } from "node:crypto";
import { concatBytes, equalBytes, toHex } from "../../lib/bytes.ts";
import { LiteError } from "../errors.ts";
import { makeStreamCipher, type StreamCipher, sessionParametersLength } from "./cipher.ts";
import type { AdnlKey } from "./keys.ts";
import { keyId } from "./publicKeys.ts";

/**
 * The first packet of a client: server key id, client public key, hash of the session parameters, the encrypted
 * parameters.
 */
export const handshakeLength = 32 + 32 + 32 + sessionParametersLength;

/** The content of a handshake. */
export interface AcceptedHandshake {
  readonly key: AdnlKey;
  readonly clientPublicKey: Uint8Array;
  readonly parameters: Uint8Array;
}

/** The handshake of a client, with a key made for this connection, to the server with the given public key. */
export function makeHandshake(client: AdnlKey, serverPublicKey: Uint8Array, parameters: Uint8Array): Uint8Array {
  const hash = createHash("sha256").update(parameters).digest();
  const cipher = parametersCipher(client.agree(serverPublicKey), hash);
  return concatBytes([keyId(serverPublicKey), client.publicKey, hash, cipher(parameters)]);
}

/** Opens a handshake for one of the server's keys; anything else is `lite/handshake`. */
export function acceptHandshake(packet: Uint8Array, keys: readonly AdnlKey[]): AcceptedHandshake {
  if (packet.length !== handshakeLength)
    throw new LiteError("lite/handshake", `a handshake of ${packet.length} bytes instead of ${handshakeLength}`);
  const wanted = packet.subarray(0, 32);
  const key = keys.find((candidate) => equalBytes(candidate.id, wanted));
  if (key === undefined) throw new LiteError("lite/handshake", `no key here has the id ${toHex(wanted)}`);
  const clientPublicKey = new Uint8Array(packet.subarray(32, 64));
  const hash = packet.subarray(64, 96);
  const parameters = parametersCipher(key.agree(clientPublicKey), hash)(packet.subarray(96));
  if (!equalBytes(createHash("sha256").update(parameters).digest(), hash)) {
    throw new LiteError(
      "lite/handshake",
      `the session parameters of ${toHex(clientPublicKey)} do not match their hash`,
    );
  }
  return { key, clientPublicKey, parameters };
}

/** Key and counter are mixed from the shared secret and the parameters' hash. */
function parametersCipher(secret: Uint8Array, hash: Uint8Array): StreamCipher {
  const key = concatBytes([secret.subarray(0, 16), hash.subarray(16, 32)]);
  const counter = concatBytes([hash.subarray(0, 4), secret.subarray(20, 32)]);
  return makeStreamCipher(key, counter);
}
