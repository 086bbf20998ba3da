import { join } from "node:path";
import { type LiteExchange, readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { readChainRecord } from "../cell/chainRecord.ts";
import { fixtureFolder } from "../model/fixtureChain.ts";

const name = "split";

export const splitFolder = join(fixtureFolder, name);

/** The first forty masterchain blocks of a recorded chain; the basechain splits in two at block fifteen. */
export function importSplitChain(): Ledger {
  return importChain(splitFolder);
}

/** The recorded answers of a node to queries about those blocks. */
export function readSplitExchanges(): readonly LiteExchange[] {
  return readLiteExchanges(join(splitFolder, "lite/answers.jsonl.gz"));
}

/** A chain that grows on request by one masterchain block and its shard blocks. */
export interface GrowingChain {
  readonly ledger: Ledger;
  grow(): void;
}

/** The same chain, starting at an earlier block. */
export function growSplitChain(seqno: number): GrowingChain {
  const record = readChainRecord(fixtureFolder, name);
  const zeroStates = record.zerostates.map((state) => {
    const bytes = record.stateBytes(state);
    const { workchain, root_hash: rootHash, file_hash: fileHash } = state;
    const place = { workchain, shard: BigInt.asUintN(64, BigInt(state.shard)), seqno: 0 };
    return { id: { ...place, rootHash: rootHash as Hash, fileHash: fileHash as Hash }, bytes, root: readRoot(bytes) };
  });
  const ledger = new Ledger(zeroStates);
  const whole = importSplitChain();
  let left = record.blocks.map((block) => ({ block, bytes: record.blockBytes(block) }));
  const grow = (): void => {
    const next = whole.getMaster(ledger.headId.seqno + 1);
    const isNew = ({ block }: (typeof left)[number]): boolean => committedAt(whole, block) === next.id.seqno;
    const added = left
      .filter(isNew)
      .sort((a, b) => b.block.workchain - a.block.workchain || a.block.seqno - b.block.seqno);
    left = left.filter((entry) => !isNew(entry));
    for (const { bytes } of added) ledger.add(bytes);
  };
  while (ledger.headId.seqno < seqno) grow();
  return { ledger, grow };
}

function committedAt(
  whole: Ledger,
  block: { readonly workchain: number; readonly shard: string; readonly seqno: number },
) {
  const shard = BigInt.asUintN(64, BigInt(block.shard));
  return whole.findBySeqno({ workchain: block.workchain, shard, seqno: block.seqno })?.masterSeqno;
}
