import { afterAll, beforeAll } from "vitest";
import { listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { RecordedConfigs, readRecordedState } from "../../../kit/tvm/tvmRecords.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { readKnownCodes } from "../model/knownCodes.ts";

/** The known codes of the corpus, a state to run them in, and the executor of the tests around the call. */
export function useKnownCodes(folder: string) {
  let opened: LiveExecutor;
  beforeAll(async () => {
    opened = await openExecutor({}, { clock: systemClock });
  });
  afterAll(() => opened.close());
  const [path] = listFiles(folder, "getmethods", ".json");
  return {
    codes: readKnownCodes(folder),
    any: readRecordedState(readJson(folder, String(path)), new RecordedConfigs(folder)),
    executor: (): Executor => opened,
  };
}
