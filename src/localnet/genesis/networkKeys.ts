import { seededRandom } from "../../lib/random.ts";
import { LocalValidator } from "../rounds/validators.ts";
import { makeMnemonic, secretOf } from "../wallets/mnemonic.ts";
import { makeSigningKey, type SigningKey } from "../wallets/SigningKey.ts";
import { makeWallet, type Wallet, type WalletVersion } from "../wallets/Wallet.ts";
import { validatorWeight } from "./genesisConfig.ts";

/** A wallet whose words people are told. */
export interface FundedWallet {
  readonly wallet: Wallet;
  readonly words: readonly string[];
  /** The seed of its key, which follows from the words. */
  readonly secret: Uint8Array;
}

/** What is told of a wallet to have it again without the work of deriving it. */
export type WalletSecret = Pick<FundedWallet, "words" | "secret">;

/** Everybody who has a key in a local network. All follow from its seed, so none of them may guard anything real. */
export interface NetworkKeys {
  readonly validator: LocalValidator;
  /** May change the configuration. */
  readonly owner: SigningKey;
  /** Pays out what the faucet gives. */
  readonly giver: Wallet;
  /** By which clients know the lite server. */
  readonly liteServerSeed: Uint8Array;
  readonly wallets: readonly FundedWallet[];
}

/** Ten wallets, all common versions among them. */
const versions: readonly WalletVersion[] = [
  "v5r1",
  "v5r1",
  "v5r1",
  "v4r2",
  "v4r2",
  "v4r2",
  "v3r2",
  "v3r1",
  "v2r2",
  "highloadV3",
];

/** All keys of a seed; wallets that are known already need not be derived. */
export async function deriveKeys(seed: string, known: readonly WalletSecret[] = []): Promise<NetworkKeys> {
  const secret = (name: string): Uint8Array => seededRandom(`${name} of ${seed}`).bytes(32);
  return {
    validator: new LocalValidator(secret("validator"), validatorWeight),
    owner: makeSigningKey(secret("owner")),
    giver: makeWallet("v5r1", makeSigningKey(secret("giver"))),
    liteServerSeed: secret("lite server"),
    wallets: await Promise.all(
      versions.map(async (version, i) => {
        const { words, secret: own } = known[i] ?? (await deriveWallet(`wallet ${i + 1} of ${seed}`));
        return { wallet: makeWallet(version, makeSigningKey(own)), words, secret: own };
      }),
    ),
  };
}

async function deriveWallet(name: string): Promise<WalletSecret> {
  const words = await makeMnemonic(seededRandom(name));
  return { words, secret: await secretOf(words) };
}
