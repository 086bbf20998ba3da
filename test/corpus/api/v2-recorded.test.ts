import { afterAll, beforeAll, expect, it } from "vitest";
import { typedRunResult } from "../../../src/api/v2/shapes/stack.ts";
import { typedStackArg } from "../../../src/api/v2/stackArgs.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { compareRecorded, type RecordedAnswer, recordedRules } from "../../kit/api/v2Recorded.ts";
import { describeCorpus, listFiles, readJson } from "../../kit/suite/corpus.ts";

describeCorpus("answers that public services gave", (folder) => {
  const files = listFiles(folder, "api-v2/recorded", ".json");
  const records = files.map((file) => [file, readJson(folder, file) as unknown as RecordedAnswer] as const);
  let server: TestServer;

  beforeAll(async () => {
    server = await openV2Server();
  });

  afterAll(() => server.close());

  it("are ours in form and, where they hold what they were made of, in value, but for what is listed with a reason", () => {
    const all = records.map(([file, record]) => ({ file, ...compareRecorded(record) }));
    expect(all.flatMap(({ file, left }) => left.slice(0, 6).map((each) => ({ file, ...each })))).toEqual([]);
    const used = new Set(all.flatMap((each) => each.used));
    expect(recordedRules.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
    expect(records.length).toBeGreaterThan(0);
  });

  it("about addresses are ours, but for the case of hex, which services of then wrote small", async () => {
    const asked = records.filter(([, { method, request }]) => /packAddress$/i.test(method) && request.includes("?"));
    for (const [, { request, response }] of asked) {
      const { result } = Object(await (await fetch(`${server.origin}${request}`)).json());
      expect(String(result).replace(/:.*/, (hex) => hex.toLowerCase())).toBe(response.result);
    }
    expect(asked.length).toBeGreaterThan(0);
  });
});

const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";

/** One of the files has bags that were cut for show: there an empty cell stands in their place. */
function mendBags(value: unknown) {
  const isCut = (text: unknown) => typeof text === "string" && text.length < 20;
  return JSON.parse(JSON.stringify(value), (key, each) => (key === "bytes" && isCut(each) ? emptyBag : each));
}

describeCorpus("results of get-methods in typed form", (folder) => {
  const files = listFiles(folder, "api-v2/run-method-std", ".json");

  it.each(files)("are read and written as they were recorded: %s", (file) => {
    const result = mendBags(Object(readJson(folder, file)).result);
    const stack = typedStackArg.decode(result.stack, "stack");
    const { exit_code: exitCode, gas_used: gasUsed } = result;
    const ours = typedRunResult.encode({ exitCode, gasUsed: BigInt(gasUsed), stack });
    expect(ours).toEqual({ "@type": "smc.runResult", gas_used: gasUsed, stack: result.stack, exit_code: exitCode });
  });
});
