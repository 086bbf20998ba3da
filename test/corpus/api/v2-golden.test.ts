import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJsonLinesGz, reportAbsent } from "../../../kit/suite/corpus.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { checkV2Records, formatChecked } from "../../kit/api/checkV2Records.ts";
import { v2Differences } from "../../kit/api/v2Differences.ts";
import type { V2Record } from "../../kit/api/v2Golden.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";
import { patient } from "../../kit/tvm/fixtureServer.ts";

describeCorpusPart("the recorded answers of the reference", "*/v2/cpp.jsonl.gz", (folder) => {
  const files = listFiles(folder, ".", "v2/cpp.jsonl.gz");
  const used = new Set<string>();

  describe.each(files)("%s", (file) => {
    let server: TestServer | undefined;
    let executor: LiveExecutor | undefined;

    afterAll(async () => {
      await server?.close();
      await executor?.close();
    });

    it("equal ours, except for deliberate differences of the contract", async () => {
      executor = await openExecutor({}, { clock: systemClock });
      const { chains } = openRecordedChains(folder, dirname(dirname(file)), executor);
      server = await openV2Server(patient, { isLive: () => true, chains });
      const records = readJsonLinesGz(folder, file) as unknown as V2Record[];
      const checked = await checkV2Records(server.origin, records);
      process.stdout.write(formatChecked(checked));
      for (const name of checked.used.keys()) used.add(name);
      expect(records.length).toBeGreaterThan(0);
      expect(checked.unexplained).toEqual([]);
    });
  });

  afterAll(() => {
    reportAbsent(
      "answers for these rules:",
      v2Differences.map(({ name }) => name).filter((name) => !used.has(name)),
    );
  });
});
