import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { applyMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { mergeStates } from "../../../src/localnet/collate/mergeStates.ts";
import { listProcessed } from "../../../src/localnet/collate/processed.ts";
import { splitState } from "../../../src/localnet/collate/splitState.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import type { Ledger, LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { type BlockIdExt, basechain, formatBlockId, masterchain } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { deleteEntry } from "../../kit/cell/deleteEntry.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";
import { differences, remakeMasterBlock, remakeShardBlock } from "../../kit/localnet/recordedBlocks.ts";

function blocksOf(ledger: Ledger, workchain: number): LedgerBlock[] {
  return listBlocks(ledger).filter(({ id }) => id.workchain === workchain);
}

function stateOf(ledger: Ledger, id: BlockIdExt) {
  return new ChainView(ledger).state(id);
}

/** In the first block of a new session the recording node does not process queues, which is a choice and not a rule. */
function leavesQueues(ledger: Ledger, block: LedgerBlock): boolean {
  const { workchain, shard, seqno } = block.id;
  const before = ledger.findBySeqno({ workchain, shard, seqno: seqno - 1 });
  const isNew = before !== undefined && before.info.genCatchainSeqno !== block.info.genCatchainSeqno;
  return (
    (isNew || block.info.afterSplit || block.info.afterMerge) &&
    ledger.block(block).extra.load().inMessages.load().isEmpty
  );
}

describeCorpusPart("rebuilt blocks of a real node", "*/index.json", (folder) => {
  const names = listChainRecords(folder);

  describe.each(names)("%s", (name) => {
    const ledger = importChain(join(folder, name));
    it("masterchain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, masterchain)) {
        const made = await remakeMasterBlock(ledger, block);
        expect([formatBlockId(block.id), differences(ledger, block, made)]).toEqual([formatBlockId(block.id), []]);
      }
    });

    it("basechain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, basechain)) {
        if (leavesQueues(ledger, block)) continue;
        const made = await remakeShardBlock(ledger, block);
        expect([formatBlockId(block.id), differences(ledger, block, made)]).toEqual([formatBlockId(block.id), []]);
      }
    });

    it("halves of a split shard start from the same accounts, queues and fees", () => {
      for (const { id, info } of blocksOf(ledger, basechain).filter((block) => block.info.afterSplit)) {
        const [parent] = prevBlockIds(info);
        const half = runAtOnce(splitState(stateOf(ledger, parent ?? id), id.shard));
        const block = ledger.block(ledger.getBlock(id));
        if (!block.extra.load().inMessages.load().isEmpty || !block.extra.load().outMessages.load().isEmpty) continue;
        const after = stateOf(ledger, id);
        const fees = after.totals.load().totalValidatorFees.coins - block.valueFlow.load().feesCollected.coins;
        expect([
          half.accounts.cell.hash(),
          half.outMsgQueueInfo.load().queue.root?.hash(),
          half.totals.load().totalValidatorFees.coins,
        ]).toEqual([after.accounts.cell.hash(), after.outMsgQueueInfo.load().queue.root?.hash(), fees]);
      }
    });

    it("a merged shard starts from the accounts, queues, points and fees of both", () => {
      for (const { id, info } of blocksOf(ledger, basechain).filter((block) => block.info.afterMerge)) {
        const [left, right] = prevBlockIds(info).map((prev) => stateOf(ledger, prev));
        if (left === undefined || right === undefined) throw new Error("a merged block without two previous ones");
        const merged = runAtOnce(mergeStates(left, right));
        const block = ledger.block(ledger.getBlock(id));
        const after = stateOf(ledger, id);
        const queue = after.outMsgQueueInfo.load();
        let gone = merged.outMsgQueueInfo.load().queue;
        // What its receivers have, the other half among them, leaves the queue.
        gone.forEach((_, key) => {
          if (queue.queue.find(key) === undefined) gone = deleteEntry(gone, key);
        });
        const fees = after.totals.load().totalValidatorFees.coins - block.valueFlow.load().feesCollected.coins;
        expect([
          merged.accounts.cell.hash(),
          gone.root?.hash(),
          listProcessed(merged.outMsgQueueInfo.load().processed),
          merged.totals.load().totalValidatorFees.coins,
        ]).toEqual([after.accounts.cell.hash(), queue.queue.root?.hash(), listProcessed(queue.processed), fees]);
      }
    });

    it("state updates lead from the previous state to the next", async () => {
      for (const block of blocksOf(ledger, masterchain).filter(({ id }) => id.seqno % 7 === 0)) {
        const made = await remakeMasterBlock(ledger, block);
        const before = ledger.state(ledger.getMaster(block.id.seqno - 1).id);
        expect(applyMerkleUpdate(before, made.root.ref(2)).hash()).toBe(ledger.state(block.id).hash());
      }
    });
  });
});
