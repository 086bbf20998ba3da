import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeCorpusPart, listFiles, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server } from "../../kit/api/apiServer.ts";
import { checkProvedRecords } from "../../kit/api/provedRecords.ts";
import type { V2Record } from "../../kit/api/v2Golden.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";
import { patient } from "../../kit/tvm/fixtureServer.ts";

describeCorpusPart("the recorded requests with proofs", "*/v2/cpp.jsonl.gz", (folder) => {
  describe.each(listFiles(folder, ".", "v2/cpp.jsonl.gz"))("%s", (file) => {
    it("are proved to a client that trusts one block, with equal results", async () => {
      const executor = await openExecutor({}, { clock: systemClock });
      const { chains } = openRecordedChains(folder, dirname(dirname(file)), executor);
      const server = await openV2Server(patient, { isLive: () => true, chains });
      onTestFinished(async () => {
        await server.close();
        await executor.close();
      });
      const { zeroState, head } = chains.open({ access: "public", signal: new AbortController().signal });
      const records = readJsonLinesGz(folder, file) as unknown as V2Record[];
      const { counts, wrong } = await checkProvedRecords(server.origin, records, { zeroState, initBlock: head.block });
      process.stdout.write(`${file}: ${JSON.stringify(counts)}\n`);
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(counts.proved).toBeGreaterThan(records.length / 4);
    });
  });
});
