import { createHmac, pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { Random } from "../../lib/random.ts";
import { LocalnetError } from "../errors.ts";

const derive = promisify(pbkdf2);
const iterations = 100_000;
const wordCount = 24;

/** The words of a new wallet: the first random list that wallets accept as one without password. */
export async function makeMnemonic(random: Random): Promise<readonly string[]> {
  for (;;) {
    const words = Array.from({ length: wordCount }, () => wordAt(random.int(wordlist.length)));
    if (await isBasic(entropyOf(words))) return words;
  }
}

/** The seed of the key of these words, as TON's wallets derive it. */
export async function secretOf(words: readonly string[]): Promise<Uint8Array> {
  const seed = await derive(entropyOf(words), "TON default seed", iterations, 64, "sha512");
  return new Uint8Array(seed.subarray(0, 32));
}

function wordAt(index: number): string {
  const word = wordlist[index];
  if (word === undefined) throw new LocalnetError("localnet/wallet", `the list has no word ${index}`);
  return word;
}

function entropyOf(words: readonly string[]): Buffer {
  return createHmac("sha512", words.join(" ")).digest();
}

/** One list in 256 is valid: that is how wallets notice a mistyped word. */
async function isBasic(entropy: Buffer): Promise<boolean> {
  const check = await derive(entropy, "TON seed version", Math.floor(iterations / 256), 64, "sha512");
  return check[0] === 0;
}
