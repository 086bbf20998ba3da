import type { NamedBlock } from "../../chain/blocks.ts";
import { type Arg, optional } from "../../lib/kit/arg.ts";
import { accountOf } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { findV2Address, hashArg, seqnoArg, shardArg, workchainArg } from "./args.ts";

/** The same argument, with an empty text as absent. */
export function ignoringEmpty<T>(arg: Arg<T>) {
  const { decode, ...rest } = optional(arg);
  return { ...rest, decode: (value: unknown, name: string) => decode(value || undefined, name) };
}

/** A block by position and, when both hashes are given, by content. */
export const namedBlockArgs = {
  workchain: arg("Workchain: -1 is the masterchain, 0 the basechain.", workchainArg, "blockWorkchain"),
  shard: arg(
    "Shard of the block; `8000000000000000`, or -9223372036854775808 in decimal, is a whole workchain.",
    shardArg,
    "blockShard",
  ),
  seqno: arg("Sequence number of the block.", seqnoArg, "blockSeqno"),
  root_hash: arg("Hash of the block's root cell.", ignoringEmpty(hashArg())),
  file_hash: arg("Hash of the block's file.", ignoringEmpty(hashArg())),
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
