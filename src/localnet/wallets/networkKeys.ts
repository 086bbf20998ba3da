import { seededRandom } from "../../lib/random.ts";
import { keyId } from "../../lite/adnl/keys.ts";
import { hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { localGlobalId, validatorWeight } from "../genesis/genesisConfig.ts";
import { findUsualWallets, type WalletSecret } from "../genesis/usualWallets.ts";
import { LocalValidator } from "../rounds/validators.ts";
import { makeMnemonic, secretOf } from "./mnemonic.ts";
import { makeSigningKey, type SigningKey } from "./SigningKey.ts";
import { makeWallet, type Wallet, type WalletVersion } from "./Wallet.ts";

/** A wallet with its published words. */
export interface FundedWallet extends WalletSecret {
  readonly wallet: Wallet;
}

/** All keys of a local network. They follow from its seed, so they must not guard anything real. */
export interface NetworkKeys {
  readonly validator: LocalValidator;
  /** May change the configuration. */
  readonly owner: SigningKey;
  /** Pays what the faucet sends. */
  readonly giver: Wallet;
  /** The key of the lite server. */
  readonly liteServerSeed: Uint8Array;
  readonly wallets: readonly FundedWallet[];
}

/** Ten wallets, including all common versions. */
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

/** The parameters of a network's keys besides its seed. */
export interface KeyRules {
  /** The network id in the wallet ids of version 5. */
  readonly walletNetworkId: number;
  /** Whether the configuration has an ADNL address of the validator. */
  readonly hasValidatorAddress: boolean;
}

/** The rules of new networks. */
export function newKeyRules(globalId: number): KeyRules {
  return { walletNetworkId: globalId, hasValidatorAddress: true };
}

/** The seed of the lite server's key. */
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

/** All keys of a seed; known wallets are not derived again. */
export async function deriveKeys(
  seed: string,
  rules: KeyRules = newKeyRules(localGlobalId),
  known: readonly WalletSecret[] = findUsualWallets(seed),
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
