import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { cell, storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { intKey, uintKey } from "../../../src/cell/keys.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { keyId } from "../../../src/lite/adnl/publicKeys.ts";
import { type Config, configParam } from "../../../src/model/config/ConfigParams.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";

/** A validator with a known secret key. */
export interface TestSigner {
  readonly publicKey: Uint8Array;
  /** The key id by which signatures name the signer. */
  readonly nodeIdShort: Uint8Array;
  readonly weight: bigint;
  sign(message: Uint8Array): Uint8Array;
}

// The DER prefix before the 32 bytes of a seed (RFC 8410).
const privateEd25519 = Buffer.from("302e020100300506032b657004220420", "hex");

export function makeSigner(seed: string, weight: bigint): TestSigner {
  const der = Buffer.concat([privateEd25519, seededRandom(seed).bytes(32)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" })).subarray(-32);
  return {
    publicKey,
    nodeIdShort: keyId(publicKey),
    weight,
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

export function makeValidatorSet(signers: readonly TestSigner[], main = signers.length): ValidatorSet {
  const entries = signers.map(({ publicKey, weight }, i): [number, ValidatorDescr] => [
    i,
    { kind: "withAddress", publicKey: toHex(publicKey) as Hash, weight, adnlAddress: "0a".repeat(32) as Hash },
  ]);
  return {
    kind: "extended",
    sinceAt: 0,
    untilAt: 1,
    total: signers.length,
    main,
    totalWeight: signers.reduce((sum, { weight }) => sum + weight, 0n),
    list: makeDictionary(uintKey(16), ValidatorDescr, entries),
  };
}

/** A configuration with only these validator sets and the catchain parameters. */
export function makeValidatorConfig(
  sets: { readonly 34?: ValidatorSet; readonly 35?: ValidatorSet },
  shuffleMcValidators?: boolean,
): Config {
  const lifetimes = {
    mcCatchainLifetime: 200,
    shardCatchainLifetime: 200,
    shardValidatorsLifetime: 200,
    shardValidatorsNum: 5,
  };
  const entries = Object.entries(sets).map(([id, set]) => [Number(id), storeCell(configParam[34], set)] as const);
  const catchain =
    shuffleMcValidators === undefined
      ? []
      : [[28, storeCell(configParam[28], { kind: "shuffled", flags: 0, shuffleMcValidators, ...lifetimes })] as const];
  return {
    params: makeDictionary(
      intKey(32),
      cell,
      [...entries, ...catchain].map(([id, value]) => [id, value]),
    ),
  };
}
