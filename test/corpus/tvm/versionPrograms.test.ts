import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf, librariesOf, RecordedConfigs } from "../../../kit/tvm/tvmRecords.ts";
import { type MethodEnd, WasmOracle } from "../../../kit/tvm/wasmOracle.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { parseHash, zeroHash } from "../../../src/model/Hash.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";
import type { GetMethodRun } from "../../../src/tvm/Executor.ts";
import { runGetMethod } from "../../../src/tvm/run/getMethod.ts";
import { setConfigParam } from "../../kit/model/codecs/configParams.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";

const versions = [4, 5, 6, 7, 8, 9, 10, 11, 12];
const comparisons = 10_000;

/**
 * Known bugs of the package, an early build of version 13. LSHIFTDIV and related instructions (A9Cx) accept shifts
 * above 256, which are a range error in every version. Its ristretto255 instructions (F92x) differ from the reference,
 * whose own results depend on the system before version 14. A gas limit of zero means no limit for it.
 */
function isKnownFault(code: Cell, gasLimit: bigint): boolean {
  if (gasLimit === 0n) return true;
  const { bytes, dataAt, bitLength } = code;
  return /a9c|f92/.test(Buffer.from(bytes.subarray(dataAt, dataAt + ((bitLength + 7) >> 3))).toString("hex"));
}

const host = makeRunHost();

interface Given {
  readonly id: string;
  readonly family: string;
  readonly code: unknown;
  readonly libraries: unknown;
  readonly stack: unknown;
  readonly gasLimit: number;
}

describeCorpusPart("programs at versions 4 to 12", ["tvm/*.jsonl.gz", "tvm/environment.json"], (folder) => {
  const environment = asRecord(readJson(folder, "tvm/environment.json"));
  const newest = { configAccount: zeroHash, ...new RecordedConfigs(folder).get("tvm/config-v13.boc") };
  const configs = new Map(
    versions.map((version) => [version, setConfigParam(newest, 8, { ...getConfigParam(newest, 8), version })]),
  );

  function listGiven(): Given[] {
    const files = listFiles(folder, "tvm", ".jsonl.gz").filter((path) => /instructions|programs/.test(path));
    return files
      .flatMap((path) => readJsonLinesGz(folder, path))
      .map(asRecord)
      .flatMap(({ id, family, code, libraries, runs }) =>
        asList(runs).map((each) => {
          const { in_boc: stack, gas_limit: limit = environment.default_gas_limit } = asRecord(each);
          return { id: asText(id), family: asText(family), code, libraries, stack, gasLimit: Number(limit) };
        }),
      );
  }

  function runOf(given: Given, version: number, libraries: Cell | undefined): GetMethodRun {
    const config = configs.get(version) ?? newest;
    return {
      ...{
        config,
        now: Number(environment.unixtime),
        method: 0,
        balance: coinsOnly(BigInt(asText(environment.balance))),
      },
      ...(libraries === undefined ? {} : { findLibrary: librariesOf(libraries) }),
      randomSeed: parseHash(asText(environment.rand_seed_hex)),
      address: parseAddress(asText(environment.address)).address,
      code: cellOf(given.code),
      data: cellOf(environment.data),
      stack: loadCell(VmStack, cellOf(given.stack)),
      gasLimit: BigInt(given.gasLimit),
    };
  }

  async function runOwn(run: GetMethodRun): Promise<MethodEnd> {
    const end = await runGetMethod(run, host);
    return { exitCode: end.exitCode, gasUsed: end.gasUsed, stack: storeCell(VmStack, end.stack).hash() };
  }

  it("end like on the WebAssembly machine: exit code, gas and stack", async () => {
    const oracle = await WasmOracle.open();
    const all = listGiven();
    const step = Math.max(1, Math.floor(all.length / comparisons));
    const wrong: unknown[] = [];
    let compared = 0;
    for (let i = 0; i < all.length; i += step) {
      const given = all[i] as Given;
      const version = versions[(i / step) % versions.length] as number;
      const libraries =
        given.libraries === undefined ? undefined : cellOf(asRecord(environment.libraries)[asText(given.libraries)]);
      const run = runOf(given, version, libraries);
      const expected = await oracle.runGetMethod(run, libraries);
      if (expected === undefined) continue;
      compared++;
      const own = await runOwn(run);
      const isSame =
        own.exitCode === expected.exitCode && own.gasUsed === expected.gasUsed && own.stack === expected.stack;
      if (!isSame && !isKnownFault(run.code, run.gasLimit)) wrong.push({ id: given.id, version, own, expected });
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(Math.min(all.length, comparisons) / 2);
  });
});
