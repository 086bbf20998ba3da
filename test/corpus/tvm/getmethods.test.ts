import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { RecordedConfigs, type RecordedRun, readGetMethodRuns } from "../../../kit/tvm/tvmRecords.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";
import type { Instruction } from "../../../src/tvm/machine/instruction.ts";
import {
  commonFamilies,
  rareFamilies,
  transactionFamilies,
} from "../../../src/tvm/machine/interpreter/instructions.ts";
import { runGetMethod } from "../../../src/tvm/run/getMethod.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";

const host = makeRunHost();

const ordinary: ReadonlySet<unknown> = new Set(["seqno", "get_public_key", "get_wallet_data", "get_wallet_address"]);

const namesOf = (families: object): ReadonlySet<string> =>
  new Set(Object.values(families).flatMap((list: readonly Instruction[]) => list.map(({ name }) => name)));
const common = namesOf(commonFamilies);
const onDemand = new Set(
  [...namesOf(transactionFamilies), ...namesOf(rareFamilies)].filter((name) => !common.has(name)),
);

/** Whether a run has an instruction that clients begin without. */
async function needsMore({ run }: RecordedRun): Promise<boolean> {
  const { log } = await runGetMethod({ ...run, log: "instructions" }, host);
  return [...log.matchAll(/^execute (\S+)/gm)].some(([, name = ""]) => onDemand.has(name));
}

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

  /* The sizes of the clients in docs/proofs.md count no instruction that they load on demand. */
  it("need what clients load on demand in less than 5 of 100 runs, and never for seqno, keys and data of wallets", async () => {
    const runs = files.flatMap((path) => readGetMethodRuns(readJson(folder, path), configs));
    const needing = (await Promise.all(runs.map(needsMore))).flatMap((needs, i) =>
      needs ? [runs[i]?.run.method] : [],
    );
    expect(needing.filter((method) => ordinary.has(method ?? ""))).toEqual([]);
    expect(needing.length / runs.length).toBeLessThan(0.05);
  });
});
