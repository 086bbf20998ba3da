import { it } from "vitest";
import { describeCorpusPart } from "../../../kit/suite/corpus.ts";
import { listChainRecords, readChainRecord } from "../../kit/cell/chainRecord.ts";
import { checkReruns } from "../../kit/tvm/checkReruns.ts";
import { rerunChain } from "../../kit/tvm/rerunChain.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";

describeCorpusPart("recorded chains of the corpus", "*/index.json", (folder) => {
  const names = listChainRecords(folder);
  it.each(names)("are reproduced transaction by transaction: %s", async (name) => {
    checkReruns(await rerunChain(readChainRecord(folder, name), transactionExecutor()));
  });
});
