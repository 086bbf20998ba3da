import { createCipheriv } from "node:crypto";

/** Encrypts or decrypts a stream; each call continues where the last one stopped. */
export type StreamCipher = (bytes: Uint8Array) => Uint8Array;

/** The two directions of one side of a connection. */
export interface Session {
  readonly encrypt: StreamCipher;
  readonly decrypt: StreamCipher;
}

/** The number of random bytes that the client makes for a session: two keys, two counters, padding. */
export const sessionParametersLength = 160;

/** AES-256 in counter mode: encrypting and decrypting are the same. */
export function makeStreamCipher(key: Uint8Array, counter: Uint8Array): StreamCipher {
  const cipher = createCipheriv("aes-256-ctr", key, counter);
  return (bytes) => {
    const { buffer, byteOffset, byteLength } = cipher.update(bytes);
    // A plain view: a Buffer's `slice` does not copy, unlike that of a Uint8Array.
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

/** The client's side: it reads with the first key and counter, and writes with the second. */
export function clientSession(parameters: Uint8Array): Session {
  return { decrypt: firstDirection(parameters), encrypt: secondDirection(parameters) };
}

/** The server's side: the reverse of the client's. */
export function serverSession(parameters: Uint8Array): Session {
  return { encrypt: firstDirection(parameters), decrypt: secondDirection(parameters) };
}

function firstDirection(parameters: Uint8Array): StreamCipher {
  return makeStreamCipher(parameters.subarray(0, 32), parameters.subarray(64, 80));
}

function secondDirection(parameters: Uint8Array): StreamCipher {
  return makeStreamCipher(parameters.subarray(32, 64), parameters.subarray(80, 96));
}
