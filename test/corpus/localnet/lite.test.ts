import { join } from "node:path";
import { expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { describeCorpusPart, listFiles } from "../../../kit/suite/corpus.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { replayRecording } from "../../kit/localnet/replayRecording.ts";

/**
 * In proofs of account states the node includes or omits small cells depending on its cache; everything else must be
 * byte-identical.
 */
const byMemory = new Set(["getAccountState", "getAccountStatePrunned", "runSmcMethod"]);
/** The minimum share of byte-identical answers among those. */
const mostlySame = 0.8;

describeCorpusPart("a recorded node's answers", "*/lite/*.jsonl.gz", (folder) => {
  const networks = listChainRecords(folder).filter(
    (name) => listFiles(folder, join(name, "lite"), ".jsonl.gz").length > 0,
  );

  it.each(networks)("equal ours, for every query to %s", async (network) => {
    const files = listFiles(folder, join(network, "lite"), ".jsonl.gz");
    const exchanges = files.flatMap((path) => readLiteExchanges(join(folder, path)));
    const table = await replayRecording(importChain(join(folder, network)), exchanges);
    const rows = [...table].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(rows.filter(([, { count, sameValue }]) => sameValue !== count)).toEqual([]);
    const otherBytes = rows.filter(
      ([kind, { count, sameBytes }]) => sameBytes < (byMemory.has(kind) ? count * mostlySame : count),
    );
    expect(otherBytes).toEqual([]);
    const sum = (part: "count" | "sameBytes"): number => rows.reduce((total, [, row]) => total + row[part], 0);
    process.stdout.write(`${network}: ${sum("count")} answers of equal value, ${sum("sameBytes")} of equal bytes\n`);
  });
});
