import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/openExecutor.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { checkV2Records, formatChecked } from "../../kit/api/checkV2Records.ts";
import { v2Differences } from "../../kit/api/v2Differences.ts";
import type { V2Record } from "../../kit/api/v2Golden.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";
import { describeCorpus, readJsonLinesGz } from "../../kit/suite/corpus.ts";
import { patient } from "../../kit/tvm/fixtureServer.ts";

describeCorpus("the recorded answers of the reference", (folder) => {
  let server: TestServer;
  let executor: LiveExecutor;

  beforeAll(async () => {
    executor = await openExecutor({}, { clock: systemClock });
    const { chains } = openRecordedChains(folder, "realnet", executor);
    server = await openV2Server(patient, { isLive: () => true, chains });
  });

  afterAll(async () => {
    await server.close();
    await executor.close();
  });

  it("are ours, but for what the contract decides otherwise, and every rule about that is needed", async () => {
    const records = readJsonLinesGz(folder, "realnet/v2/cpp.jsonl.gz") as unknown as V2Record[];
    const checked = await checkV2Records(server.origin, records);
    process.stdout.write(formatChecked(checked));
    expect(records.length).toBeGreaterThan(0);
    expect(checked.unexplained).toEqual([]);
    expect(v2Differences.map(({ name }) => name).filter((name) => !checked.used.has(name))).toEqual([]);
  });
});
