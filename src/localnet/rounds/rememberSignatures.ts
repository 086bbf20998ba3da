import { Lru } from "../../lib/lru.ts";
import { verifyEd25519 } from "../../tvm/crypto/ed25519.ts";

const mostKept = 8_192;

/**
 * A check of signatures that remembers its outcomes. The signature of a message is checked when the message arrives and again
 * when it comes into a block, and a check takes as long as all the rest of a transaction.
 */
export function rememberSignatures(): typeof verifyEd25519 {
  const outcomes = new Lru<string, boolean>({ maxBytes: mostKept, sizeOf: () => 1 });
  return (data, signature, publicKey) => {
    // Key and signature have fixed lengths, so that no other check has the same text.
    const text = Buffer.concat([publicKey, signature, data]).toString("latin1");
    const known = outcomes.find(text);
    if (known !== undefined) return known;
    const outcome = verifyEd25519(data, signature, publicKey);
    outcomes.set(text, outcome);
    return outcome;
  };
}
