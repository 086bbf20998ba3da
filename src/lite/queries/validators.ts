import { createHash, type KeyObject } from "node:crypto";
import type { Hash } from "../../cell/Hash.ts";
import { crc32c } from "../../lib/crc.ts";
import { type BlockIdExt, masterchain, type ShardId, wholeShard } from "../../model/block/BlockId.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { CatchainConfig } from "../../model/config/ConsensusConfig.ts";
import { findParam, getParam } from "../../model/config/readConfig.ts";
import { type ValidatorDescr, ValidatorSet } from "../../model/config/ValidatorSet.ts";
import { hashFromBytes, hashToBytes, zeroHash } from "../../model/Hash.ts";
import { keyId, verifyingKey } from "../adnl/publicKeys.ts";
import { proofError } from "./proven.ts";

/** A validator that may sign a block. */
export interface Validator {
  readonly publicKey: Uint8Array;
  /** SHA-256 of the boxed public key, which signatures contain. */
  readonly id: Hash;
  readonly weight: bigint;
  readonly adnlAddress: Hash;
  /** The public key prepared for checking signatures: made on first use and kept with the group. */
  verifyingKey(): KeyObject;
}

/** The group that signs masterchain blocks of one catchain session. */
export interface ValidatorGroup {
  readonly validators: readonly Validator[];
  readonly byId: ReadonlyMap<Hash, Validator>;
  readonly totalWeight: bigint;
  /** Identifies the group in block headers and signatures. */
  readonly hashShort: number;
}

/** A temporary set takes precedence over the elected one. */
function currentSet(config: Config): ValidatorSet {
  return findParam(config, 35, ValidatorSet) ?? getParam(config, 34, ValidatorSet);
}

/** The masterchain group of a configuration. */
export function masterchainGroup(config: Config, catchainSeqno: number): ValidatorGroup {
  const set = currentSet(config);
  const catchain = findParam(config, 28, CatchainConfig);
  const list = listMain(set);
  const shuffle = catchain?.kind === "shuffled" && catchain.shuffleMcValidators;
  const order = shuffle ? shuffledOrder(list.length, catchainSeqno) : list.keys();
  const validators = Array.from(order, (i) => list[i] as Validator);
  return {
    validators,
    byId: new Map(validators.map((validator) => [validator.id, validator])),
    totalWeight: validators.reduce((sum, validator) => sum + validator.weight, 0n),
    hashShort: groupHashShort(validators, catchainSeqno),
  };
}

/** The validators that make masterchain blocks: the first ones of the set, numbered without gaps. */
function listMain(set: ValidatorSet): Validator[] {
  const entries = set.list.entries({ limit: set.main });
  if (entries.length < set.main || entries.some(([index], i) => index !== i))
    throw proofError(`the validator set does not have ${set.main} members`);
  return entries.map(([, description]) => toValidator(description));
}

function toValidator(description: ValidatorDescr): Validator {
  const publicKey = hashToBytes(description.publicKey);
  let key: KeyObject | undefined;
  return {
    publicKey,
    id: hashFromBytes(keyId(publicKey)),
    weight: description.weight,
    adnlAddress: description.kind === "withAddress" ? description.adnlAddress : zeroHash,
    verifyingKey: () => {
      key ??= verifyingKey(publicKey);
      return key;
    },
  };
}

/** Groups are few and change rarely; of each there may be hundreds of keys. */
const groupsKept = 8;

/** The groups of recent proofs, by the key block that names them: computing one costs more than a signature. */
export class ValidatorGroups {
  readonly #groups = new Map<string, ValidatorGroup>();

  /** The group that a key block (or the zero state) names for a session; its configuration is read only when needed. */
  get(keyBlock: BlockIdExt, catchainSeqno: number, config: () => Config): ValidatorGroup {
    const key = `${keyBlock.rootHash}:${catchainSeqno}`;
    const group = this.#groups.get(key) ?? masterchainGroup(config(), catchainSeqno);
    this.#groups.delete(key);
    this.#groups.set(key, group);
    const [oldest] = this.#groups.keys();
    if (this.#groups.size > groupsKept && oldest !== undefined) this.#groups.delete(oldest);
    return group;
  }
}

/** The validator that makes the blocks of a shard where one does; the larger its weight, the more often it is drawn. */
export function shardValidator(
  config: Config,
  { workchain, shard }: Pick<BlockIdExt, "workchain" | "shard">,
  catchainSeqno: number,
): Validator {
  const descriptions = currentSet(config).list.values();
  const total = descriptions.reduce((sum, { weight }) => sum + weight, 0n);
  let left = makeDraw(workchain, shard, catchainSeqno)(total);
  const drawn = descriptions.find(({ weight }) => {
    left -= weight;
    return left < 0n;
  });
  if (drawn === undefined) throw proofError("the validator set has no weight");
  return toValidator(drawn);
}

/** A permutation drawn from the group's own generator: each number is swapped with one at a random earlier place. */
function shuffledOrder(count: number, catchainSeqno: number): number[] {
  const draw = makeDraw(masterchain, wholeShard, catchainSeqno);
  const order: number[] = [];
  for (let i = 0; i < count; i++) {
    const j = Number(draw(BigInt(i + 1)));
    order[i] = order[j] ?? i;
    order[j] = i;
  }
  return order;
}

/** SHA-512 over a counter and the group's identity, read as 64-bit numbers scaled into a range. */
function makeDraw(workchain: number, shard: ShardId, catchainSeqno: number): (range: bigint) => bigint {
  const description = Buffer.alloc(48);
  description.writeBigUInt64BE(shard, 32);
  description.writeInt32BE(workchain, 40);
  description.writeUInt32BE(catchainSeqno, 44);
  let digest = Buffer.alloc(0);
  let at = 64;
  return (range) => {
    if (at === 64) {
      digest = createHash("sha512").update(description).digest();
      increment(description.subarray(0, 32));
      at = 0;
    }
    const value = digest.readBigUInt64BE(at);
    at += 8;
    return (value * range) >> 64n;
  };
}

function increment(counter: Buffer): void {
  for (let i = counter.length - 1; i >= 0; i--) {
    counter[i] = ((counter[i] as number) + 1) & 0xff;
    if (counter[i] !== 0) return;
  }
}

// test0.validatorSet#901660ed: CRC-32C over the group's seqno, keys, weights and addresses.
const groupMagic = 0x901660ed;

/** The hashed data of a group. */
type GroupMember = Pick<Validator, "publicKey" | "weight" | "adnlAddress">;

/** Identifies a group of validators in one session, as block headers and signatures do. */
export function groupHashShort(validators: readonly GroupMember[], catchainSeqno: number): number {
  const bytes = Buffer.alloc(12 + validators.length * 72);
  let at = bytes.writeUInt32LE(groupMagic, 0);
  at = bytes.writeUInt32LE(catchainSeqno, at);
  at = bytes.writeUInt32LE(validators.length, at);
  for (const validator of validators) {
    bytes.set(validator.publicKey, at);
    bytes.writeBigUInt64LE(validator.weight, at + 32);
    bytes.write(validator.adnlAddress, at + 40, "hex");
    at += 72;
  }
  return crc32c(bytes);
}
