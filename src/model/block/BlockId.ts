import { type Codec, struct, uint32, uint64, type ValueOf } from "../../cell/codec.ts";
import { type Address, accountOf, workchainOf } from "../Address.ts";
import { ModelError } from "../errors.ts";
import { type Hash, hash } from "../Hash.ts";

/** A part of a workchain: the bits above the lowest set one are the prefix of all its accounts. Always unsigned. */
export type ShardId = bigint;

export const wholeShard: ShardId = 0x8000000000000000n;
export const masterchain = -1;
export const basechain = 0;

/** A block by position. */
export interface BlockId {
  readonly workchain: number;
  readonly shard: ShardId;
  readonly seqno: number;
}

/** A block by position and content. */
export interface BlockIdExt extends BlockId {
  readonly rootHash: Hash;
  readonly fileHash: Hash;
}

/** Number of prefix bits of a shard. */
export function shardPrefixLength(shard: ShardId): number {
  return 63 - Math.log2(Number(lowestBit(shard)));
}

function lowestBit(shard: ShardId): bigint {
  if (shard <= 0n || shard > 0xffffffffffffffffn) throw new ModelError("model/shard", `${shard} is not a shard`);
  return shard & -shard;
}

export function makeShard(prefix: bigint, length: number): ShardId {
  const low = 1n << BigInt(63 - length);
  return (prefix & ~(low * 2n - 1n)) | low;
}

export function shardContains(shard: ShardId, account: Hash): boolean {
  if (shard === wholeShard) return true;
  const low = lowestBit(shard);
  const prefix = BigInt(`0x${account.slice(0, 16)}`);
  return ((shard ^ prefix) & ~(low * 2n - 1n) & 0xffffffffffffffffn) === 0n;
}

export function shardHolds(block: BlockId, address: Address): boolean {
  return block.workchain === workchainOf(address) && shardContains(block.shard, accountOf(address));
}

/** Whether one shard contains the other or equals it. */
export function shardIsAncestor(ancestor: ShardId, shard: ShardId): boolean {
  const low = lowestBit(ancestor);
  return low >= lowestBit(shard) && ((ancestor ^ shard) & ~(low * 2n - 1n)) === 0n;
}

export function shardsIntersect(a: ShardId, b: ShardId): boolean {
  return shardIsAncestor(a, b) || shardIsAncestor(b, a);
}

export function shardParent(shard: ShardId): ShardId {
  const low = lowestBit(shard);
  if (low === wholeShard) throw new ModelError("model/shard", "the whole workchain has no parent shard");
  return (shard - low) | (low * 2n);
}

/** The other half of the shard that a shard is a half of. */
export function shardSibling(shard: ShardId): ShardId {
  return shard ^ (lowestBit(shard) * 2n);
}

/** The left (lower) and right halves. */
export function shardChildren(shard: ShardId): readonly [ShardId, ShardId] {
  const half = lowestBit(shard) >> 1n;
  if (half === 0n) throw new ModelError("model/shard", `${shard} cannot be split`);
  return [shard - half, shard + half];
}

/** As signed decimal, which is how v2 writes shards. */
export function signedShard(shard: ShardId): bigint {
  return BigInt.asIntN(64, shard);
}

export function sameBlock(a: BlockIdExt, b: BlockIdExt): boolean {
  return (
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.seqno === b.seqno &&
    a.rootHash === b.rootHash &&
    a.fileHash === b.fileHash
  );
}

/** `(workchain,shard in hex,seqno)`, as nodes write block ids. */
export function formatBlockId(block: BlockId): string {
  return `(${block.workchain},${block.shard.toString(16).padStart(16, "0")},${block.seqno})`;
}

export interface ShardIdent {
  readonly workchain: number;
  readonly shard: ShardId;
  /** Zero states store the prefix with its end bit; all later blocks store the prefix alone. */
  readonly hasEndBit?: true;
}

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;
export const ShardIdent: Codec<ShardIdent> = {
  load: (slice) => {
    const head = slice.loadUint(8);
    if (head > 60) throw new ModelError("model/shard", `a shard with ${head} prefix bits`);
    const workchain = slice.loadInt(32);
    const prefix = slice.loadBigUint(64);
    const shard = makeShard(prefix, head);
    if (shard === prefix) return { workchain, shard, hasEndBit: true };
    if (shard - lowestBit(shard) !== prefix)
      throw new ModelError("model/shard", `prefix ${prefix.toString(16)} has more than ${head} bits`);
    return { workchain, shard };
  },
  store: (builder, { workchain, shard, hasEndBit }) => {
    const length = shardPrefixLength(shard);
    if (length > 60) throw new ModelError("model/shard", `a shard with ${length} prefix bits`);
    builder.storeUint(length, 8).storeInt(workchain, 32);
    builder.storeBigUint(hasEndBit ? shard : shard - lowestBit(shard), 64);
  },
};

// ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;
export const ExtBlkRef = struct({ endLt: uint64, seqno: uint32, rootHash: hash, fileHash: hash });
export type ExtBlkRef = ValueOf<typeof ExtBlkRef>;

// block_id_ext$_ shard_id:ShardIdent seq_no:uint32 root_hash:bits256 file_hash:bits256 = BlockIdExt;
export const BlockIdExt: Codec<BlockIdExt> = {
  load: (slice) => {
    const ident = ShardIdent.load(slice);
    // The spread is last: in first place it would give every object its own hidden class.
    return { seqno: slice.loadUint(32), rootHash: slice.loadHash(), fileHash: slice.loadHash(), ...ident };
  },
  store: (builder, id) => {
    ShardIdent.store(builder, id);
    builder.storeUint(id.seqno, 32).storeHex(id.rootHash).storeHex(id.fileHash);
  },
};

/** The masterchain block of an external reference. */
export function masterBlockId(ref: ExtBlkRef): BlockIdExt {
  const { seqno, rootHash, fileHash } = ref;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
}
