import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { typedRunResult } from "../../../src/api/v2/shapes/stack.ts";
import { typedStackArg } from "../../../src/api/v2/stackArgs.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { compareRecorded, type RecordedAnswer, recordedRules } from "../../kit/api/v2Recorded.ts";

describeCorpusPart("answers of public services", "api-v2/recorded/*.json", (folder) => {
  const files = listFiles(folder, "api-v2/recorded", ".json");
  const records = files.map((file) => [file, readJson(folder, file) as unknown as RecordedAnswer] as const);
  let server: TestServer;

  beforeAll(async () => {
    server = await openV2Server();
  });

  afterAll(() => server.close());

  it("match our schema and, if they contain their cells, our values, except for listed differences", () => {
    const all = records.map(([file, record]) => ({ file, ...compareRecorded(record) }));
    expect(all.flatMap(({ file, left }) => left.slice(0, 6).map((each) => ({ file, ...each })))).toEqual([]);
    const used = new Set(all.flatMap((each) => each.used));
    reportAbsent(
      "answers for these rules:",
      recordedRules.map(({ name }) => name).filter((name) => !used.has(name)),
    );
  });

  it("about addresses equal ours, except for lower-case hex in older services", async () => {
    const asked = records.filter(([, { method, request }]) => /packAddress$/i.test(method) && request.includes("?"));
    for (const [, { request, response }] of asked) {
      const { result } = Object(await (await fetch(`${server.origin}${request}`)).json());
      expect(String(result).replace(/:.*/, (hex) => hex.toLowerCase())).toBe(response.result);
    }
    if (asked.length === 0) reportAbsent("answers about", ["addresses"]);
  });
});

const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";

/** One file has shortened bags; an empty cell replaces them. */
function mendBags(value: unknown) {
  const isCut = (text: unknown) => typeof text === "string" && text.length < 20;
  return JSON.parse(JSON.stringify(value), (key, each) => (key === "bytes" && isCut(each) ? emptyBag : each));
}

describeCorpusPart("results of get-methods in typed form", "api-v2/run-method-std/*.json", (folder) => {
  const files = listFiles(folder, "api-v2/run-method-std", ".json");

  it.each(files)("are read and written as recorded: %s", (file) => {
    const result = mendBags(Object(readJson(folder, file)).result);
    const stack = typedStackArg.decode(result.stack, "stack");
    const { exit_code: exitCode, gas_used: gasUsed } = result;
    const ours = JSON.parse(JSON.stringify(typedRunResult.encode({ exitCode, gasUsed: BigInt(gasUsed), stack })));
    expect(ours).toEqual({ "@type": "smc.runResult", gas_used: gasUsed, stack: result.stack, exit_code: exitCode });
  });
});
