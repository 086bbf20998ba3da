import type { KeyObject } from "node:crypto";
import { Lru } from "../../lib/lru.ts";
import { findKey, verifyEd25519 } from "../../tvm/crypto/ed25519.ts";

const maxKept = 8_192;
const maxKeys = 4_096;

/**
 * A check of signatures that remembers its outcomes. The signature of a message is checked when the message arrives and
 * again when it comes into a block, and a check takes as long as all the rest of a transaction. The keys of the
 * platform are kept too: making one takes a tenth of a check, and wallets sign again and again.
 */
export function rememberSignatures(): typeof verifyEd25519 {
  const outcomes = new Lru<string, boolean>({ maxBytes: maxKept, sizeOf: () => 1 });
  const keys = new Lru<string, KeyObject>({ maxBytes: maxKeys, sizeOf: () => 1 });
  const findCached = (publicKey: Uint8Array): KeyObject | undefined => {
    const text = Buffer.from(publicKey).toString("latin1");
    const key = keys.find(text) ?? findKey(publicKey);
    if (key !== undefined) keys.set(text, key);
    return key;
  };
  return (data, signature, publicKey) => {
    // Key and signature have fixed lengths, so that no other check has the same text.
    const text = Buffer.concat([publicKey, signature, data]).toString("latin1");
    const known = outcomes.find(text);
    if (known !== undefined) return known;
    const outcome = verifyEd25519(data, signature, publicKey, findCached);
    outcomes.set(text, outcome);
    return outcome;
  };
}
