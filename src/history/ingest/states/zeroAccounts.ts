import { loadCell } from "../../../cell/codec.ts";
import { makeAddress } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../../model/block/ShardState.ts";
import type { AccountAfter, BlockBatch, FetchedBlock } from "../Batch.ts";
import { codeAndData } from "../decode/accountRows.ts";

/** The zero states before the first masterchain block and its shard blocks, each once. */
export function listZeroStates(ids: readonly BlockIdExt[]): BlockIdExt[] {
  const zero = ids.filter(({ seqno }) => seqno === 0);
  return [...new Map(zero.map((id) => [id.rootHash, id])).values()];
}

/** Accounts that exist before the first block: no transaction mentions them. */
export function listZeroAccounts({ zeroStates = [] }: Pick<BlockBatch, "zeroStates">): AccountAfter[] {
  return zeroStates.flatMap(readAccounts);
}

function readAccounts({ id, root }: FetchedBlock): AccountAfter[] {
  const { accounts, genUtime } = loadCell(ShardStateUnsplit, root);
  return accounts
    .load()
    .entries()
    .map(([key, { account, lastTransactionHash, lastTransactionLt }]) => ({
      address: makeAddress(id.workchain, key),
      block: id,
      stateHash: account.cell.hash(),
      lastTransHash: lastTransactionHash,
      lastTransLt: lastTransactionLt,
      now: genUtime,
      cell: account.cell,
      ...codeAndData(account.cell),
    }));
}
