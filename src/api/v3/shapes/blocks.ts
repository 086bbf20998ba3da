import type { BlockRow } from "../../../history/queries/blocks.ts";
import { formatBound, type Scope } from "../../../history/scope/Scope.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, decimalOf, hash, named, shardId } from "./scalars.ts";

/** The id of a block. */
export interface BlockPlace {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** A block by its id. */
export const blockRef = named(
  "BlockId",
  shape<BlockPlace>()({
    workchain: int("Workchain: -1 is the masterchain, 0 the basechain.", (b) => b.workchain),
    shard: shardId("Shard of the block: its prefix followed by a final one bit, in hex.", (b) => b.shard),
    seqno: int("Sequence number of the block.", (b) => b.seqno),
  }),
);

/** The masterchain has only one shard. */
export function masterPlace(seqno: number): BlockPlace {
  return { workchain: -1, shard: 1n << 63n, seqno };
}

/** An indexed block. */
export const block = named(
  "Block",
  shape<BlockRow>()({
    workchain: int("Workchain: -1 is the masterchain, 0 the basechain.", (b) => b.workchain),
    shard: shardId("Shard of the block: its prefix followed by a final one bit, in hex.", (b) => b.shard),
    seqno: int("Sequence number of the block.", (b) => b.seqno),
    root_hash: hash("Hash of the block's root cell, in base64.", (b) => b.rootHash),
    file_hash: hash("Hash of the block's file, in base64.", (b) => b.fileHash),
    global_id: int("Id of the network: -239 is mainnet, -3 testnet.", (b) => b.globalId),
    version: int("Version of the block's format.", (b) => b.version),
    after_merge: bool("Whether the block is the first one after a merge of two shards.", (b) => b.afterMerge),
    before_split: bool("Whether the shard is split after this block.", (b) => b.beforeSplit),
    after_split: bool("Whether the block is the first one after a split of a shard.", (b) => b.afterSplit),
    want_merge: bool("Whether the shard asks to be merged.", (b) => b.wantMerge),
    want_split: bool("Whether the shard asks to be split.", (b) => b.wantSplit),
    key_block: bool("Whether the block changes the configuration or the validators.", (b) => b.keyBlock),
    vert_seqno_incr: bool("Whether the block raises the vertical sequence number.", (b) => b.vertSeqnoIncr),
    flags: int("Flags of the block header: 1 if it names the software that made it.", (b) => b.flags),
    gen_utime: decimalOf("Time of the block, in Unix seconds.", (b) => b.genUtime),
    start_lt: decimal("Logical time at which the block begins.", (b) => b.startLt),
    end_lt: decimal("Logical time at which the block ends.", (b) => b.endLt),
    validator_list_hash_short: int(
      "First 32 bits of the hash of the list of validators.",
      (b) => b.validatorListHashShort,
    ),
    gen_catchain_seqno: int("Number of the group of validators that made the block.", (b) => b.genCatchainSeqno),
    min_ref_mc_seqno: int("Seqno of the oldest masterchain block that the block refers to.", (b) => b.minRefMcSeqno),
    prev_key_block_seqno: int("Key block before this one, by seqno.", (b) => b.prevKeyBlockSeqno),
    vert_seqno: int(
      "Vertical sequence number of the block, which only a repair of the chain raises.",
      (b) => b.vertSeqno,
    ),
    master_ref_seqno: int("Seqno of the masterchain block that the block refers to.", (b) => b.masterRefSeqno),
    rand_seed: hash("Random seed of the block, in base64.", (b) => b.randSeed),
    created_by: hash("Public key of the validator that made the block, in base64.", (b) => b.createdBy),
    tx_count: int("Number of transactions in the block.", (b) => b.txCount),
    masterchain_block_ref: blockRef("Masterchain block that commits the block.", (b) => masterPlace(b.mcBlockSeqno)),
    prev_blocks: list(blockRef)("Blocks before this one.", (b) =>
      b.prevBlocks.map((prev) => ({ ...prev, shard: BigInt(prev.shard) })),
    ),
  }),
);

export const blocksAnswer = shape<readonly BlockRow[]>()({
  blocks: list(block)("Blocks that match, in the requested order.", (rows) => rows),
});

/** The most entries of a list that are shown. */
const maxShown = 100;

const addressList = list(address);
const hashesList = list(hash);

/** What an index covers; a long list is shown in part. */
const scopeShape = shape<Scope>()({
  accounts: addressList("Accounts of the scope, at most 100 of them.", (scope) => scope.accounts.slice(0, maxShown)),
  accounts_count: int("Number of accounts that the scope names.", (scope) => scope.accounts.length),
  jettons: addressList("Jettons that are in the scope with all their wallets, at most 100 of them.", (scope) =>
    scope.jettons.slice(0, maxShown),
  ),
  jettons_count: int("Number of jettons that the scope names.", (scope) => scope.jettons.length),
  collections: addressList(
    "NFT collections that are in the scope with all their items, at most 100 of them.",
    (scope) => scope.collections.slice(0, maxShown),
  ),
  collections_count: int("Number of NFT collections that the scope names.", (scope) => scope.collections.length),
  code_hashes: hashesList("Code hashes whose accounts are in the scope, at most 100 of them.", (scope) =>
    scope.codeHashes.slice(0, maxShown),
  ),
  code_hashes_count: int("Number of code hashes that the scope names.", (scope) => scope.codeHashes.length),
  from: nullable(text)(
    "Where the scope begins: the seqno of a masterchain block, or a time; null without a bound.",
    (scope) => scope.from && String(formatBound(scope.from)),
  ),
  until: nullable(text)(
    "Where the scope ends: the seqno of a masterchain block, or a time; null without a bound.",
    (scope) => scope.until && String(formatBound(scope.until)),
  ),
});

interface ShownInfo {
  readonly first: BlockRow;
  readonly last: BlockRow;
  readonly scope: Scope | undefined;
}

export const masterchainInfoShape = shape<ShownInfo>()({
  last: block("Newest masterchain block of the index.", (info) => info.last),
  first: block("First masterchain block of the index.", (info) => info.first),
  scope: omittable(scopeShape)("What the index covers; absent when it covers the whole chain.", (info) => info.scope),
});
