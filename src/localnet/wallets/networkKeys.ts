import { seededRandom } from "../../lib/random.ts";
import { keyId } from "../../lite/adnl/publicKeys.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coin } from "../../model/coins.ts";
import { hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { localGlobalId } from "../genesis/genesisConfig.ts";
import { findUsualWallets, type WalletSecret } from "../genesis/usualWallets.ts";
import { LocalValidator } from "../rounds/validators.ts";
import { makeMnemonic, secretOf } from "./mnemonic.ts";
import { makeSigningKey, type SigningKey } from "./SigningKey.ts";
import { makeWallet, type Wallet, type WalletVersion } from "./Wallet.ts";

/** A wallet with its published words. */
export interface FundedWallet extends WalletSecret {
  readonly wallet: Wallet;
}

/** What a validator stakes by itself in each election, once somebody has funded its wallet. */
export interface ValidatorStake {
  readonly validator: LocalValidator;
  /** In the masterchain. */
  readonly wallet: Wallet;
  readonly amount: bigint;
  /** 65536 is one. */
  readonly maxFactor: number;
}

/** All keys of a local network. They follow from its seed, so they must not guard anything real. */
export interface NetworkKeys {
  /** The validator of the first set. */
  readonly validator: LocalValidator;
  /** All validators; later sets are elected of them. */
  readonly validators: readonly [LocalValidator, LocalValidator, LocalValidator];
  /** The first two stake by themselves; the third one is left to a pool. */
  readonly stakes: readonly [ValidatorStake, ValidatorStake];
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

function makeValidator(name: string, seed: string, hasAddress: boolean): LocalValidator {
  const adnlKey = makeSigningKey(secretFor(`${name} address`, seed));
  const address = hasAddress ? hashFromBytes(keyId(adnlKey.publicKey)) : zeroHash;
  return new LocalValidator(secretFor(name, seed), address);
}

function stakeOf(name: string, seed: string, terms: Omit<ValidatorStake, "wallet">): ValidatorStake {
  return { ...terms, wallet: makeWallet("v4r2", makeSigningKey(secretFor(name, seed)), { workchain: masterchain }) };
}

/** All keys of a seed; known wallets are not derived again. */
export async function deriveKeys(
  seed: string,
  rules: KeyRules = newKeyRules(localGlobalId),
  known: readonly WalletSecret[] = findUsualWallets(seed),
): Promise<NetworkKeys> {
  const place = { networkId: rules.walletNetworkId };
  const validatorOf = (name: string) => makeValidator(name, seed, rules.hasValidatorAddress);
  const validator = validatorOf("validator");
  const second = validatorOf("validator 2");
  return {
    validator,
    validators: [validator, second, validatorOf("validator 3")],
    stakes: [
      // Only so much of it counts as the smaller stake has.
      stakeOf("validator wallet", seed, { validator, amount: 150_000n * coin, maxFactor: 65_536 }),
      stakeOf("validator wallet 2", seed, { validator: second, amount: 125_000n * coin, maxFactor: 196_608 }),
    ],
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
