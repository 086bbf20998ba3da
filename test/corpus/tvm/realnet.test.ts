import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import { openExecutor } from "../../../src/tvm/engine/openExecutor.ts";
import type { WasmExecutor } from "../../../src/tvm/engine/WasmExecutor.ts";
import { listChainRecords, readChainRecord } from "../../kit/cell/chainRecord.ts";
import { describeCorpus } from "../../kit/suite/corpus.ts";
import { checkReruns } from "../../kit/tvm/checkReruns.ts";
import { rerunChain } from "../../kit/tvm/rerunChain.ts";

/**
 * Transactions that send more of an extra currency than there is, on which the machine of the package throws instead of
 * skipping the action. To be emptied when the package is mended.
 */
const crashes: Readonly<Record<string, readonly string[]>> = {
  realnet: ["7fcd5da0a165d8d1a970ea6a80b6c4802d0cbb19fefeab269843ea000811ca4a"],
  realnet2: ["aa2a6b25fac55fac0f7b7b1b3b61dc3445bc3fcd859a02cc12d4d1b1b8be2289"],
};

describeCorpus("recorded chains of the corpus", (folder) => {
  let executor: WasmExecutor;
  beforeAll(async () => {
    executor = await openExecutor({ workers: 2, maxWaiting: 100_000 }, { clock: systemClock });
  });
  afterAll(() => executor.close());

  const names = listChainRecords(folder);
  it("are some", () => expect(names.length).toBeGreaterThan(0));
  it.each(names)(
    "become the same transactions when they are run again: %s",
    async (name) => {
      checkReruns(await rerunChain(readChainRecord(folder, name), executor), crashes[name] ?? []);
    },
    300_000,
  );
});
