import { join } from "node:path";
import { expect, it } from "vitest";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { readLiteExchanges } from "../../kit/lite/liteExchanges.ts";
import { replayRecording } from "../../kit/localnet/replayRecording.ts";
import { describeCorpusPart, listFiles } from "../../kit/suite/corpus.ts";

/**
 * Proofs of account states hold small cells that the node left out, or did not, by what it had in memory just then;
 * everything else must be the node's very bytes.
 */
const byMemory = new Set(["getAccountState", "getAccountStatePrunned", "runSmcMethod"]);
/** How many of those are the very bytes all the same, at least. */
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
