import { proofError } from "../../lite/queries/proven.ts";
import type { HistoryItem, TransactionPoint } from "../../lite/queries/transactions.ts";
import { type Address, accountOf } from "../../model/Address.ts";
import { formatBlockId, sameBlock, shardHolds } from "../../model/block/BlockId.ts";
import { lookUp } from "../blocks.ts";
import type { Chain } from "../Chain.ts";
import { listBlockEntries, listHistory } from "../transactions.ts";

/**
 * A part of an account's history from a point on, newest first, each with its block. A server proves neither that the
 * point is on the chain nor which block has a transaction: here the newest one is proved to be in its block, the others
 * follow from it by their hashes, and the block of each is proved to be on the chain and to cover its logical time.
 */
export async function listProvenHistory(
  chain: Chain,
  address: Address,
  from: TransactionPoint,
  limit: number,
): Promise<readonly HistoryItem[]> {
  const items = await listHistory(chain, address, from, limit);
  const byBlock = new Map<string, HistoryItem[]>();
  for (const item of items) {
    const name = formatBlockId(item.claimedBlock);
    byBlock.set(name, [...(byBlock.get(name) ?? []), item]);
  }
  await Promise.all([...byBlock.values()].map((together) => checkBlock(chain, address, together)));
  const [newest] = items;
  if (newest !== undefined) await checkIncluded(chain, address, newest);
  return items;
}

/** The account has one block for each logical time: the block of its shard that covers it. */
async function checkBlock(chain: Chain, address: Address, items: readonly HistoryItem[]): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const { claimedBlock: claimed } = first;
  const { workchain, shard, seqno } = claimed;
  if (!shardHolds(claimed, address)) throw proofError(`${formatBlockId(claimed)} is not of the shard of ${address}`);
  const { id, info } = await lookUp(chain, { workchain, shard, by: "seqno", seqno });
  for (const { claimedBlock, transaction } of items) {
    if (!sameBlock(id, claimedBlock)) throw proofError(`${formatBlockId(claimedBlock)} is not on the chain`);
    if (transaction.lt < info.startLt || transaction.lt > info.endLt)
      throw proofError(`transaction ${transaction.lt} of ${address} is not in ${formatBlockId(claimedBlock)}`);
  }
}

async function checkIncluded(chain: Chain, address: Address, { claimedBlock, transaction }: HistoryItem) {
  const { rootHash, fileHash } = claimedBlock;
  const block = { ...claimedBlock, hashes: { rootHash, fileHash } };
  const after = { account: accountOf(address), lt: transaction.lt - 1n };
  const [found] = (await listBlockEntries(chain, { block, after, count: 1 })).items;
  if (found?.address !== address || found.lt !== transaction.lt || found.hash !== transaction.cell.hash())
    throw proofError(`${formatBlockId(claimedBlock)} does not have transaction ${transaction.lt} of ${address}`);
}
