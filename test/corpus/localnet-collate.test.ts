import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMerkleUpdate } from "../../src/cell/merkleUpdate.ts";
import { importChain } from "../../src/localnet/importChain.ts";
import type { Ledger, LedgerBlock } from "../../src/localnet/Ledger.ts";
import { basechain, masterchain, wholeShard } from "../../src/model/BlockId.ts";
import { type ChainRecord, listChainRecords, readChainRecord } from "../kit/chainRecord.ts";
import { describeCorpus } from "../kit/corpus.ts";
import { differences, remakeMasterBlock, remakeShardBlock } from "../kit/recordedBlocks.ts";

function blocksOf(ledger: Ledger, workchain: number): LedgerBlock[] {
  const found: LedgerBlock[] = [];
  for (let seqno = 1; ; seqno++) {
    const block = ledger.findBySeqno({ workchain, shard: wholeShard, seqno });
    if (block === undefined) return found;
    found.push(block);
  }
}

/** In the first block of a new session the recording node leaves queues alone, which is a choice and not a rule. */
function leavesQueues(ledger: Ledger, block: LedgerBlock): boolean {
  const { workchain, shard, seqno } = block.id;
  const before = ledger.findBySeqno({ workchain, shard, seqno: seqno - 1 });
  const isNewSession = before !== undefined && before.info.genCatchainSeqno !== block.info.genCatchainSeqno;
  return isNewSession && ledger.block(block).extra.load().inMessages.load().isEmpty;
}

function isSplit({ blocks }: ChainRecord): boolean {
  return blocks.some(({ after_split: afterSplit }) => afterSplit === true);
}

describeCorpus("blocks of a real node made again", (folder) => {
  // Only blocks of a basechain that is one shard can be made again here.
  const names = listChainRecords(folder).filter((name) => !isSplit(readChainRecord(folder, name)));

  it("are some", () => {
    expect(names.length).toBeGreaterThan(0);
  });

  describe.each(names)("%s", (name) => {
    const ledger = importChain(join(folder, name));
    it("masterchain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, masterchain)) {
        const made = await remakeMasterBlock(ledger, block);
        expect([block.id.seqno, differences(ledger, block, made)]).toEqual([block.id.seqno, []]);
      }
    });

    it("basechain blocks have the same header, value flow, lists and state", async () => {
      for (const block of blocksOf(ledger, basechain)) {
        if (leavesQueues(ledger, block)) continue;
        const made = await remakeShardBlock(ledger, block);
        expect([block.id.seqno, differences(ledger, block, made)]).toEqual([block.id.seqno, []]);
      }
    });

    it("state updates lead from the state before to the state after", async () => {
      for (const block of blocksOf(ledger, masterchain).filter(({ id }) => id.seqno % 7 === 0)) {
        const made = await remakeMasterBlock(ledger, block);
        const before = ledger.state(ledger.getMaster(block.id.seqno - 1).id);
        expect(applyMerkleUpdate(before, made.root.ref(2)).hash()).toBe(ledger.state(block.id).hash());
      }
    });
  });
});
