import { type Address, accountOf, workchainOf } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import type { accountId, blockIdExt } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";

export type TlBlockId = TlValue<typeof blockIdExt>;
export type TlAccountId = TlValue<typeof accountId>;

/** A block id as the chain's model has it: unsigned shard and seqno, hashes as text. */
export function blockIdFromTl(id: TlBlockId): BlockIdExt {
  return {
    workchain: id.workchain,
    shard: BigInt.asUintN(64, id.shard),
    seqno: id.seqno >>> 0,
    rootHash: hashFromBytes(id.rootHash),
    fileHash: hashFromBytes(id.fileHash),
  };
}

export function blockIdToTl(id: BlockIdExt): TlBlockId {
  return {
    workchain: id.workchain,
    shard: BigInt.asIntN(64, id.shard),
    seqno: id.seqno,
    rootHash: hashToBytes(id.rootHash),
    fileHash: hashToBytes(id.fileHash),
  };
}

export function accountIdToTl(address: Address): TlAccountId {
  return { workchain: workchainOf(address), id: hashToBytes(accountOf(address)) };
}
