import { afterAll, beforeAll, expect, it } from "vitest";
import { readJsonLinesGz } from "../../../../kit/suite/corpus.ts";
import type { TestServer } from "../../../kit/api/apiServer.ts";
import { checkProvedRecords } from "../../../kit/api/provedRecords.ts";
import type { V2Record } from "../../../kit/api/v2Golden.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { fixtureFolder } from "../../../kit/model/fixtureChain.ts";
import { openFixtureServer } from "../../../kit/tvm/fixtureServer.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openFixtureServer();
});

afterAll(() => server.close());

it("proves every answer of the recorded requests, equal to the one without a proof", async () => {
  const records = readJsonLinesGz(fixtureFolder, "v2/cpp.jsonl.gz") as unknown as V2Record[];
  const { zero, headId } = openFixtureLedger();
  const checked = await checkProvedRecords(server.origin, records, { zeroState: zero.id, initBlock: headId });
  expect(checked.wrong).toEqual([]);
  expect(checked.counts).toEqual({ proved: 93, refused: 138, "not covered": 21 });
});
