import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { RecordedConfigs, type RecordedRun, readGetMethodRuns } from "../../../kit/tvm/tvmRecords.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";
import { runGetMethod } from "../../../src/tvm/run/getMethod.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";

const host = makeRunHost();

describeCorpusPart("get-methods of the corpus", "getmethods/*.json", (folder) => {
  async function check({ name, run, exitCode, gasUsed, stackHash }: RecordedRun): Promise<void> {
    const outcome = await runGetMethod(run, host);
    const stack = stackHash === undefined ? undefined : storeCell(VmStack, outcome.stack).hash();
    const { missingLibrary } = outcome;
    expect({ name, exitCode: outcome.exitCode, gasUsed: outcome.gasUsed, stack, missingLibrary }).toEqual({
      name,
      exitCode,
      gasUsed,
      stack: stackHash,
      missingLibrary: undefined,
    });
  }

  const configs = new RecordedConfigs(folder);
  const files = listFiles(folder, "getmethods", ".json");
  it("end with the recorded exit code, gas and stack, also when repeated", async () => {
    const runs = files.flatMap((path) => readGetMethodRuns(readJson(folder, path), configs));
    await Promise.all(runs.map(check));
    await Promise.all(runs.slice(0, 50).map(check));
  });
});
