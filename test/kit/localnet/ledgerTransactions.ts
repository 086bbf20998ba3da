import type { Ledger, LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { forEachTransaction } from "../../../src/model/block/Block.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { listShardTops, shardTopId } from "../../../src/model/block/ShardHashes.ts";
import { type InCell, loadInCell } from "../../../src/model/Message.ts";
import { Transaction } from "../../../src/model/Transaction.ts";

/** All blocks committed to by the masterchain, parents first; of a fork, its own. */
export function listBlocks(ledger: Ledger): LedgerBlock[] {
  const blocks: LedgerBlock[] = [];
  for (let seqno = (ledger.base?.master.id.seqno ?? 0) + 1; seqno <= ledger.headId.seqno; seqno++) {
    const master = ledger.getMaster(seqno);
    blocks.push(...newShardBlocks(ledger, master), master);
  }
  return blocks;
}

function newShardBlocks(ledger: Ledger, master: LedgerBlock): LedgerBlock[] {
  const ledgerBlocks: LedgerBlock[] = [];
  const custom = ledger.block(master).extra.load().custom;
  const blockIdExts: BlockIdExt[] =
    custom === undefined ? [] : listShardTops(custom.load().shardHashes).map(shardTopId);
  for (let id = blockIdExts.pop(); id !== undefined; id = blockIdExts.pop()) {
    const block = ledger.findBlock(id);
    if (block === undefined || block.masterSeqno !== master.id.seqno) continue;
    ledgerBlocks.unshift(block);
    blockIdExts.push(...prevBlockIds(block.info));
  }
  return ledgerBlocks;
}

/** All transactions of a chain, sorted by block, account and logical time. */
export function listTransactions(ledger: Ledger): InCell<Transaction>[] {
  const found: InCell<Transaction>[] = [];
  for (const block of listBlocks(ledger))
    forEachTransaction(ledger.block(block), (cell) => found.push(loadInCell(Transaction, cell)));
  return found;
}
