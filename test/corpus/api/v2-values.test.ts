import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { askAgain, compareAnswers, type V2Record } from "../../kit/api/v2Golden.ts";
import { underBase, valueRules, valuesOf } from "../../kit/api/v2Values.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";
import { patient } from "../../kit/tvm/fixtureServer.ts";

describeCorpusPart("the recorded values of the older API version", "*/v2/python.jsonl.gz", (folder) => {
  describe.each(listFiles(folder, ".", "v2/python.jsonl.gz"))("%s", (file) => {
    let server: TestServer | undefined;
    let executor: LiveExecutor | undefined;

    afterAll(async () => {
      await server?.close();
      await executor?.close();
    });

    it("equal ours wherever both versions have a result, in any form", async () => {
      executor = await openExecutor({}, { clock: systemClock });
      const { chains } = openRecordedChains(folder, dirname(dirname(file)), executor);
      const { origin } = await openV2Server(patient, { isLive: () => true, chains }).then((opened) => {
        server = opened;
        return opened;
      });
      const records = readJsonLinesGz(folder, file) as unknown as V2Record[];
      const unexplained: unknown[] = [];
      let compared = 0;
      for (const record of records.filter(({ status }) => status === 200).map(underBase)) {
        const actual = await askAgain(origin, record);
        if (actual.status !== 200) continue;
        compared++;
        // Fields that only one API version has are not compared.
        const differences = compareAnswers(valuesOf(record), valuesOf(actual)).filter(
          ({ expected, actual }) => expected !== undefined && actual !== undefined,
        );
        const left = differences.filter((each) => !valueRules.some(({ explains }) => explains(each, record)));
        if (left.length > 0) unexplained.push({ id: record.id, request: record.request, left: left.slice(0, 4) });
      }
      expect(unexplained).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    });
  });
});
