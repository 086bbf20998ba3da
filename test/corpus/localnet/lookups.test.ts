import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Lookup, lookUpProven } from "../../../src/lite/queries/lookup.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import type { LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { openRecording } from "../../../src/localnet/recording/openRecording.ts";
import { readRecordedSignatures } from "../../../src/localnet/recording/recordedSignatures.ts";
import { formatBlockId } from "../../../src/model/block/BlockId.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";

const { signal } = new AbortController();

/**
 * Lookups at the boundaries of a block: its seqno, its logical times, its time. For block 1 a node proves only the
 * seqno: the zero state before it has no header.
 */
function lookupsOf({ id, info }: LedgerBlock): Lookup[] {
  const place = { workchain: id.workchain, shard: id.shard };
  const bySeqno: Lookup = { ...place, by: "seqno", seqno: id.seqno };
  if (id.seqno === 1) return [bySeqno];
  return [
    bySeqno,
    { ...place, by: "lt", lt: info.startLt },
    { ...place, by: "lt", lt: info.endLt },
    { ...place, by: "lt", lt: info.endLt - 1n },
    { ...place, by: "time", at: info.genUtime },
  ];
}

describeCorpusPart("lookups in a recorded chain", "*/index.json", (folder) => {
  const networks = listChainRecords(folder);

  it.each(networks)("are proved at the boundaries of every block: %s", async (network) => {
    const { ledger, server } = openRecording(join(folder, network), { clock: systemClock });
    const failed: string[] = [];
    let count = 0;
    for (const block of listBlocks(ledger)) {
      for (const lookup of lookupsOf(block)) {
        count++;
        const found = await lookUpProven(server, ledger.headId, lookup, { signal }).catch(String);
        if (typeof found === "string") failed.push(`${formatBlockId(block.id)} by ${lookup.by}: ${found}`);
      }
    }
    await server.close();
    process.stdout.write(`${network}: ${count} lookups\n`);
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });

  it.each(networks)("prove the head from the zero state, if the recording has signatures: %s", async (network) => {
    const { ledger, server } = openRecording(join(folder, network), { clock: systemClock });
    const signed = readRecordedSignatures(join(folder, network));
    const isSigned = [...ledger.keySeqnos, ledger.headId.seqno].every((seqno) =>
      signed.has(ledger.getMaster(seqno).id.rootHash),
    );
    const chain = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const head = chain.head(server, { signal }).then(({ block }) => block);
    if (isSigned) expect(await head).toEqual(ledger.headId);
    else await expect(head).rejects.toMatchObject({ code: "lite/server" });
    process.stdout.write(`${network}: the head is ${isSigned ? "proved" : "not signed"}\n`);
    await server.close();
  });
});
