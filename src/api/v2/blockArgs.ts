import type { NamedBlock } from "../../chain/blocks.ts";
import { type Arg, optional } from "../../lib/kit/arg.ts";
import { accountOf } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { findV2Address, hashArg, seqnoArg, shardArg, workchainArg } from "./args.ts";

/** The same argument, with an empty text as absent. */
export function ignoringEmpty<T>(arg: Arg<T>) {
  const { decode, ...rest } = optional(arg);
  return { ...rest, decode: (value: unknown, name: string) => decode(value || undefined, name) };
}

/** A block by position and, when both hashes are given, by content. */
export const namedBlockArgs = {
  workchain: workchainArg,
  shard: shardArg,
  seqno: seqnoArg,
  root_hash: ignoringEmpty(hashArg()),
  file_hash: ignoringEmpty(hashArg()),
};

interface NamedBlockValues {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly root_hash: Hash | undefined;
  readonly file_hash: Hash | undefined;
}

/** A single hash is ignored. */
export function namedBlock(values: NamedBlockValues): NamedBlock {
  const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash } = values;
  const hashes = rootHash === undefined || fileHash === undefined ? undefined : { rootHash, fileHash };
  return { workchain, shard: unsignedShard(shard), seqno, hashes };
}

/** Callers write shards signed, the chain unsigned. */
export function unsignedShard(shard: bigint): bigint {
  return BigInt.asUintN(64, shard);
}

const plainHash = hashArg();

/** An account as 256 bits, or as an address in any form. */
export const accountPartArg: Arg<Hash> = {
  ...plainHash,
  allowed: "an account as hash or address",
  decode: (value, name) => {
    const address = findV2Address(value);
    return address === undefined ? plainHash.decode(value, name) : accountOf(address.address);
  },
};
