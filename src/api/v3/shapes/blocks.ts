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
    workchain: int((b) => b.workchain),
    shard: shardId((b) => b.shard),
    seqno: int((b) => b.seqno),
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
    workchain: int((b) => b.workchain),
    shard: shardId((b) => b.shard),
    seqno: int((b) => b.seqno),
    root_hash: hash((b) => b.rootHash),
    file_hash: hash((b) => b.fileHash),
    global_id: int((b) => b.globalId),
    version: int((b) => b.version),
    after_merge: bool((b) => b.afterMerge),
    before_split: bool((b) => b.beforeSplit),
    after_split: bool((b) => b.afterSplit),
    want_merge: bool((b) => b.wantMerge),
    want_split: bool((b) => b.wantSplit),
    key_block: bool((b) => b.keyBlock),
    vert_seqno_incr: bool((b) => b.vertSeqnoIncr),
    flags: int((b) => b.flags),
    gen_utime: decimalOf((b) => b.genUtime),
    start_lt: decimal((b) => b.startLt),
    end_lt: decimal((b) => b.endLt),
    validator_list_hash_short: int((b) => b.validatorListHashShort),
    gen_catchain_seqno: int((b) => b.genCatchainSeqno),
    min_ref_mc_seqno: int((b) => b.minRefMcSeqno),
    prev_key_block_seqno: int((b) => b.prevKeyBlockSeqno),
    vert_seqno: int((b) => b.vertSeqno),
    master_ref_seqno: int((b) => b.masterRefSeqno),
    rand_seed: hash((b) => b.randSeed),
    created_by: hash((b) => b.createdBy),
    tx_count: int((b) => b.txCount),
    masterchain_block_ref: blockRef((b) => masterPlace(b.mcBlockSeqno)),
    prev_blocks: list(blockRef)((b) => b.prevBlocks.map((prev) => ({ ...prev, shard: BigInt(prev.shard) }))),
  }),
);

export const blocksAnswer = shape<readonly BlockRow[]>()({ blocks: list(block)((rows) => rows) });

/** The most entries of a list that are shown. */
const mostShown = 100;

const addressList = list(address);
const hashesList = list(hash);

/** What an index covers; a long list is shown in part. */
const scopeShape = shape<Scope>()({
  accounts: addressList((scope) => scope.accounts.slice(0, mostShown)),
  accounts_count: int((scope) => scope.accounts.length),
  jettons: addressList((scope) => scope.jettons.slice(0, mostShown)),
  jettons_count: int((scope) => scope.jettons.length),
  collections: addressList((scope) => scope.collections.slice(0, mostShown)),
  collections_count: int((scope) => scope.collections.length),
  code_hashes: hashesList((scope) => scope.codeHashes.slice(0, mostShown)),
  code_hashes_count: int((scope) => scope.codeHashes.length),
  from: nullable(text)((scope) => scope.from && String(formatBound(scope.from))),
  until: nullable(text)((scope) => scope.until && String(formatBound(scope.until))),
});

interface ShownInfo {
  readonly first: BlockRow;
  readonly last: BlockRow;
  readonly scope: Scope | undefined;
}

export const masterchainInfoShape = shape<ShownInfo>()({
  last: block((info) => info.last),
  first: block((info) => info.first),
  scope: omittable(scopeShape)((info) => info.scope),
});
