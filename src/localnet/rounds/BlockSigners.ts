import { loadCell } from "../../cell/codec.ts";
import { Lru } from "../../lib/lru.ts";
import {
  groupHashShort,
  masterchainGroup,
  shardValidator,
  type Validator,
  type ValidatorGroup,
  ValidatorGroups,
} from "../../lite/queries/validators.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import type { BlockSignatureSet, LocalValidator } from "./validators.ts";

/** Who makes a block, and how its header names the group. */
export interface BlockAuthors {
  readonly createdBy: Hash;
  readonly groupHash: number;
}

/**
 * The validators of a chain: the set of its last key block decides which of the known keys make and sign a block. The
 * configuration takes no set of which other keys have a third of the weight.
 */
export class BlockSigners {
  readonly #ledger: Ledger;
  readonly #known: ReadonlyMap<Hash, LocalValidator>;
  readonly #groups = new ValidatorGroups();
  /** Of shards, which have the same ones for many blocks. */
  readonly #authors = new Lru<string, BlockAuthors>({ maxBytes: 100_000, sizeOf: (_, key) => key.length });

  constructor(ledger: Ledger, validators: readonly LocalValidator[]) {
    this.#ledger = ledger;
    this.#known = new Map(validators.map((validator) => [validator.id, validator]));
  }

  /** Signs a masterchain block with all keys of its group. */
  sign({ id, info }: LedgerBlock): BlockSignatureSet {
    const group = this.#groupAfter(info.prevKeyBlockSeqno, info.genCatchainSeqno);
    return {
      kind: "ordinary",
      validatorSetHash: group.hashShort | 0,
      catchainSeqno: info.genCatchainSeqno,
      signatures: this.#ownOf(group.validators).map((validator) => validator.sign(id)),
    };
  }

  /** Of the masterchain block after a key block. */
  masterAuthors(keySeqno: number, catchainSeqno: number): BlockAuthors {
    const { validators, hashShort } = this.#groupAfter(keySeqno, catchainSeqno);
    return { createdBy: this.#creatorOf(validators), groupHash: hashShort };
  }

  /** Of a block of a shard, which one validator makes. */
  shardAuthors(config: Config, place: Pick<BlockIdExt, "workchain" | "shard">, catchainSeqno: number): BlockAuthors {
    const key = `${config.params.root?.hash()} ${place.workchain} ${place.shard} ${catchainSeqno}`;
    const known = this.#authors.find(key);
    if (known !== undefined) return known;
    const validators = [{ ...shardValidator(config, place, catchainSeqno), weight: 1n }];
    const authors = { createdBy: this.#creatorOf(validators), groupHash: groupHashShort(validators, catchainSeqno) };
    this.#authors.set(key, authors);
    return authors;
  }

  #groupAfter(keySeqno: number, catchainSeqno: number): ValidatorGroup {
    const id = this.#isBefore(keySeqno) ? this.#ledger.zero.id : this.#ledger.getMaster(keySeqno).id;
    return this.#groups.get(id, catchainSeqno, () => this.#configOf(keySeqno));
  }

  /** Whether the chain, or what a fork has of it, begins after a key block: its first state has the configuration. */
  #isBefore(keySeqno: number): boolean {
    return keySeqno <= (this.#ledger.base?.master.id.seqno ?? 0);
  }

  #configOf(keySeqno: number): Config {
    const { zero } = this.#ledger;
    const config = this.#isBefore(keySeqno)
      ? loadCell(ShardStateUnsplit, zero.root).custom?.load().config
      : this.#ledger.block(this.#ledger.getMaster(keySeqno)).extra.load().custom?.load().config;
    if (config === undefined) throw new LocalnetError("localnet/missing", `block ${keySeqno} has no configuration`);
    return config;
  }

  #ownOf(validators: readonly Pick<Validator, "id">[]): readonly LocalValidator[] {
    return validators.flatMap(({ id }) => this.#known.get(id) ?? []);
  }

  /** A chain of which no key is known is made all the same, though nobody can prove its blocks. */
  #creatorOf(validators: readonly Pick<Validator, "id">[]): Hash {
    const creator = this.#ownOf(validators)[0] ?? [...this.#known.values()][0];
    if (creator === undefined) throw new LocalnetError("localnet/missing", "the network has no validator");
    return creator.publicKey;
  }
}

/** Identifies the validators after a block in the state, whatever their session. */
export function hashOfSet(config: Config, catchainSeqno: number): number {
  return groupHashShort(masterchainGroup(config, catchainSeqno).validators, 0);
}
