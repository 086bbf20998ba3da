import { afterAll, beforeAll, expect, it } from "vitest";
import { readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { checkV2Records } from "../../kit/api/checkV2Records.ts";
import type { V2Record } from "../../kit/api/v2Golden.ts";
import { fixtureFolder } from "../../kit/model/fixtureChain.ts";
import { openFixtureServer } from "../../kit/tvm/fixtureServer.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openFixtureServer();
});

afterAll(() => server.close());

it("answers like the reference about the first blocks and about the request itself", async () => {
  const records = readJsonLinesGz(fixtureFolder, "v2/cpp.jsonl.gz") as unknown as V2Record[];
  const { rows, unexplained } = await checkV2Records(server.origin, records);
  expect(unexplained).toEqual([]);
  expect([...rows.values()].reduce((sum, { requests }) => sum + requests, 0)).toBe(261);
});
