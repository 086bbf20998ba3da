import { loadCell } from "../../../cell/codec.ts";
import { makeAddress } from "../../../model/Address.ts";
import { ShardStateUnsplit } from "../../../model/block/ShardState.ts";
import { codeAndData } from "../decode/accountRows.ts";
import type { AccountAfter } from "../decode/DecodedBatch.ts";
import type { BlockBatch, FetchedBlock } from "../source/BlockBatch.ts";

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
