import { join } from "node:path";
import { expect, it } from "vitest";
import { importChain } from "../../src/localnet/importChain.ts";
import { listChainRecords } from "../kit/chainRecord.ts";
import { describeCorpus, listFiles } from "../kit/corpus.ts";
import { readLiteExchanges } from "../kit/liteExchanges.ts";
import { replayRecording } from "../kit/replayRecording.ts";

type Row = readonly [count: number, sameBytes: number];

/**
 * How many recorded questions of each kind there are, and how many of them we answer with the very bytes of the node.
 * The others differ in small cells that the node left out of a proof, or did not, by what it had in memory just then.
 */
const expected: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  realnet: {
    bad: [3, 3],
    getAccountState: [433, 429],
    getAccountStatePrunned: [8, 8],
    getAllShardsInfo: [745, 745],
    getBlock: [11, 11],
    getBlockHeader: [10, 10],
    getBlockOutMsgQueueSize: [14, 14],
    getBlockProof: [19, 19],
    getConfigAll: [7, 7],
    getConfigParams: [11, 11],
    getDispatchQueueInfo: [9, 9],
    getDispatchQueueMessages: [8, 8],
    getLibraries: [7, 7],
    getLibrariesWithProof: [4, 4],
    getMasterchainInfo: [4, 4],
    getMasterchainInfoExt: [2, 2],
    getOneTransaction: [46, 46],
    getOutMsgQueueSizes: [4, 4],
    getShardBlockProof: [6, 6],
    getShardInfo: [7, 7],
    getState: [3, 3],
    getTime: [2, 2],
    getTransactions: [124, 124],
    getValidatorStats: [3, 3],
    getVersion: [1, 1],
    listBlockTransactions: [97, 97],
    listBlockTransactionsExt: [23, 23],
    lookupBlock: [1503, 1503],
    lookupBlockWithProof: [10, 10],
    "nonfinal.getPendingShardBlocks": [1, 1],
    runSmcMethod: [59, 58],
    sendMessage: [16, 16],
  },
  realnet2: {
    bad: [3, 3],
    getAccountState: [221, 213],
    getAccountStatePrunned: [7, 6],
    getAllShardsInfo: [346, 346],
    getBlock: [11, 11],
    getBlockHeader: [22, 22],
    getBlockOutMsgQueueSize: [14, 14],
    getBlockProof: [19, 19],
    getConfigAll: [7, 7],
    getConfigParams: [11, 11],
    getDispatchQueueInfo: [9, 9],
    getDispatchQueueMessages: [8, 8],
    getLibraries: [7, 7],
    getLibrariesWithProof: [4, 4],
    getMasterchainInfo: [4, 4],
    getMasterchainInfoExt: [2, 2],
    getOneTransaction: [35, 35],
    getOutMsgQueueSizes: [4, 4],
    getShardBlockProof: [12, 12],
    getShardInfo: [7, 7],
    getState: [3, 3],
    getTime: [2, 2],
    getTransactions: [104, 104],
    getValidatorStats: [3, 3],
    getVersion: [1, 1],
    listBlockTransactions: [190, 190],
    listBlockTransactionsExt: [23, 23],
    lookupBlock: [1029, 1029],
    lookupBlockWithProof: [10, 10],
    "nonfinal.getPendingShardBlocks": [1, 1],
    runSmcMethod: [54, 54],
    sendMessage: [16, 16],
  },
};

describeCorpus("a recorded node's answers", (folder) => {
  const networks = listChainRecords(folder).filter(
    (name) => listFiles(folder, join(name, "lite"), ".jsonl.gz").length > 0,
  );

  it("are there for two networks", () => {
    expect(networks.length).toBeGreaterThanOrEqual(2);
  });

  it.each(networks)("are ours too, for every question asked of %s", { timeout: 600_000 }, async (network) => {
    const files = listFiles(folder, join(network, "lite"), ".jsonl.gz");
    const exchanges = files.flatMap((path) => readLiteExchanges(join(folder, path)));
    const table = await replayRecording(importChain(join(folder, network)), exchanges);
    const rows = [...table].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(rows.filter(([, { count, sameValue }]) => sameValue !== count)).toEqual([]);
    const found = Object.fromEntries(rows.map(([kind, { count, sameBytes }]) => [kind, [count, sameBytes]]));
    expect(found).toEqual(expected[network] ?? allSame(rows.map(([kind, { count }]) => [kind, count])));
  });
});

/** What is expected of a network that is not in the table. */
function allSame(counts: readonly (readonly [kind: string, count: number])[]): Record<string, Row> {
  return Object.fromEntries(counts.map(([kind, count]) => [kind, [count, count]]));
}
