import { seededRandom } from "../../lib/random.ts";
import { keyId } from "../../lite/adnl/keys.ts";
import { hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { LocalValidator } from "../rounds/validators.ts";
import { makeMnemonic, secretOf } from "../wallets/mnemonic.ts";
import { makeSigningKey, type SigningKey } from "../wallets/SigningKey.ts";
import { makeWallet, type Wallet, type WalletVersion } from "../wallets/Wallet.ts";
import { localGlobalId, validatorWeight } from "./genesisConfig.ts";

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

/** What the keys of a network depend on besides its seed. */
export interface KeyRules {
  /** The network id in the wallet ids of version 5. */
  readonly walletNetworkId: number;
  /** Whether the configuration names an ADNL address of the validator. */
  readonly hasValidatorAddress: boolean;
}

/** The rules of a network that is made now. */
export function newKeyRules(globalId: number): KeyRules {
  return { walletNetworkId: globalId, hasValidatorAddress: true };
}

/** The seed of the key by which clients know the lite server of a network. */
export function liteServerSeedOf(seed: string): Uint8Array {
  return secretFor("lite server", seed);
}

function secretFor(name: string, seed: string): Uint8Array {
  return seededRandom(`${name} of ${seed}`).bytes(32);
}

function makeValidator(seed: string, hasAddress: boolean): LocalValidator {
  const adnlKey = makeSigningKey(secretFor("validator address", seed));
  const address = hasAddress ? hashFromBytes(keyId(adnlKey.publicKey)) : zeroHash;
  return new LocalValidator(secretFor("validator", seed), validatorWeight, address);
}

/** All keys of a seed; wallets that are known already need not be derived. */
export async function deriveKeys(
  seed: string,
  rules: KeyRules = newKeyRules(localGlobalId),
  known: readonly WalletSecret[] = [],
): Promise<NetworkKeys> {
  const place = { networkId: rules.walletNetworkId };
  return {
    validator: makeValidator(seed, rules.hasValidatorAddress),
    owner: makeSigningKey(secretFor("owner", seed)),
    giver: makeWallet("v5r1", makeSigningKey(secretFor("giver", seed)), place),
    liteServerSeed: liteServerSeedOf(seed),
    wallets: await Promise.all(
      versions.map(async (version, i) => {
        const { words, secret: own } = known[i] ?? (await deriveWallet(`wallet ${i + 1} of ${seed}`));
        return { wallet: makeWallet(version, makeSigningKey(own), place), words, secret: own };
      }),
    ),
  };
}

async function deriveWallet(name: string): Promise<WalletSecret> {
  const words = await makeMnemonic(seededRandom(name));
  return { words, secret: await secretOf(words) };
}
