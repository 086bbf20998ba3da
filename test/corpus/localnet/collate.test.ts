import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { applyMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { splitState } from "../../../src/localnet/collate/splitState.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import type { Ledger, LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { type BlockIdExt, basechain, formatBlockId, masterchain } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";
import { differences, remakeMasterBlock, remakeShardBlock } from "../../kit/localnet/recordedBlocks.ts";

function blocksOf(ledger: Ledger, workchain: number): LedgerBlock[] {
  return listBlocks(ledger).filter(({ id }) => id.workchain === workchain);
}

/** Merging shards and planning merges is not supported here. */
function isOfMerge(ledger: Ledger, { id, info }: LedgerBlock): boolean {
  if (info.afterMerge) return true;
  if (id.workchain !== masterchain) return prevBlockIds(info).some((prev) => ledger.findBlock(prev)?.info.afterMerge);
  const [before, after] = [id.seqno - 1, id.seqno].map((seqno) =>
    seqno === 0 ? [] : new ChainView(ledger, ledger.getMaster(seqno).id).tops(),
  );
  const isPlanned = [...(before ?? []), ...(after ?? [])].some((top) => top.description.splitMergeAt.kind === "merge");
  return isPlanned || (after?.length ?? 0) < (before?.length ?? 0);
}

function stateOf(ledger: Ledger, id: BlockIdExt) {
  return new ChainView(ledger).state(id);
}

/** In the first block of a new session the recording node does not process queues, which is a choice and not a rule. */
function leavesQueues(ledger: Ledger, block: LedgerBlock): boolean {
  const { workchain, shard, seqno } = block.id;
  const before = ledger.findBySeqno({ workchain, shard, seqno: seqno - 1 });
  const isNew = before !== undefined && before.info.genCatchainSeqno !== block.info.genCatchainSeqno;
  return (isNew || block.info.afterSplit) && ledger.block(block).extra.load().inMessages.load().isEmpty;
}

describeCorpusPart("rebuilt blocks of a real node", "*/index.json", (folder) => {
  const names = listChainRecords(folder);

  describe.each(names)("%s", (name) => {
    const ledger = importChain(join(folder, name));
    it("masterchain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, masterchain)) {
        if (isOfMerge(ledger, block)) continue;
        const made = await remakeMasterBlock(ledger, block);
        expect([formatBlockId(block.id), differences(ledger, block, made)]).toEqual([formatBlockId(block.id), []]);
      }
    });

    it("basechain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, basechain)) {
        if (leavesQueues(ledger, block) || isOfMerge(ledger, block)) continue;
        const made = await remakeShardBlock(ledger, block);
        expect([formatBlockId(block.id), differences(ledger, block, made)]).toEqual([formatBlockId(block.id), []]);
      }
    });

    it("halves of a split shard start from the same accounts, queues and fees", () => {
      for (const { id, info } of blocksOf(ledger, basechain).filter((block) => block.info.afterSplit)) {
        const [parent] = prevBlockIds(info);
        const half = splitState(stateOf(ledger, parent ?? id), id.shard);
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

    it("state updates lead from the previous state to the next", async () => {
      for (const block of blocksOf(ledger, masterchain).filter(({ id }) => id.seqno % 7 === 0)) {
        if (isOfMerge(ledger, block)) continue;
        const made = await remakeMasterBlock(ledger, block);
        const before = ledger.state(ledger.getMaster(block.id.seqno - 1).id);
        expect(applyMerkleUpdate(before, made.root.ref(2)).hash()).toBe(ledger.state(block.id).hash());
      }
    });
  });
});
