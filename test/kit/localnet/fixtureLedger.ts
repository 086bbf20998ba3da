import { readRoot } from "../../../src/cell/boc.ts";
import { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { RecordedBlock } from "../cell/chainRecord.ts";
import { readFixtureChain } from "../model/fixtureChain.ts";

/** Includes the committing masterchain block, which this recording always has. */
type CommittedBlock = RecordedBlock & { readonly mc_seqno: number };

/** The first blocks of the recorded chain in the repository, up to its last masterchain block. */
export function openFixtureLedger(): Ledger {
  const record = readFixtureChain("chain");
  const zeroStates = record.zerostates.map((state) => {
    const bytes = record.stateBytes(state);
    const { workchain, root_hash: rootHash, file_hash: fileHash } = state;
    const shard = BigInt.asUintN(64, BigInt(state.shard));
    const id = { workchain, shard, seqno: 0, rootHash: rootHash as Hash, fileHash: fileHash as Hash };
    return { id, bytes, root: readRoot(bytes) };
  });
  const ledger = new Ledger(zeroStates);
  const last = Math.max(...record.blocks.filter(({ workchain }) => workchain === -1).map(({ seqno }) => seqno));
  const order = (record.blocks as readonly CommittedBlock[])
    .filter(({ mc_seqno: committed }) => committed <= last)
    .sort((a, b) => a.mc_seqno - b.mc_seqno || b.workchain - a.workchain || a.seqno - b.seqno);
  for (const block of order) ledger.add(record.blockBytes(block));
  return ledger;
}
