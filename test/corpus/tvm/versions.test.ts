import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf, librariesOf, RecordedConfigs } from "../../../kit/tvm/tvmRecords.ts";
import { WasmOracle } from "../../../kit/tvm/wasmOracle.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { ShardAccount } from "../../../src/model/Account.ts";
import { type Config, configFromRoot, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { GlobalVersion } from "../../../src/model/config/GlobalVersion.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import type { AccountRun, TransactionOutcome } from "../../../src/tvm/Executor.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";

type Input = Readonly<Record<string, unknown>>;

const versions = [4, 5, 6, 7, 8, 9, 10, 11, 12];

/**
 * Each version runs a different part of the recordings: all of them at all versions take the oracle a quarter of an
 * hour. `TONGATE_VERSION_PARTS=1` runs them all.
 */
const parts = Number(process.env.TONGATE_VERSION_PARTS ?? 18);

describeCorpusPart(
  "transactions of older global versions",
  ["tvm/*transactions*.jsonl.gz", "tvm/environment.json"],
  (folder) => {
    const environment = asRecord(readJson(folder, "tvm/environment.json"));
    const newest = new RecordedConfigs(folder).get(`tvm/${asText(asRecord(environment.config)["13"])}`);
    const files = listFiles(folder, "tvm", ".jsonl.gz").filter((path) => /\/transactions(?:-more)?\.jsonl/.test(path));
    const records = files.flatMap((path) => readJsonLinesGz(folder, path).map(asRecord));
    const own = transactionExecutor();

    function inputOf(record: Input, config: Config): AccountRun {
      const given = { ...asRecord(environment.transactions), ...record };
      return {
        config,
        now: Number(given.unixtime),
        lt: BigInt(asText(given.lt)),
        randomSeed: parseHash(asText(given.block_rand_seed_hex)),
        account: loadCell(ShardAccount, cellOf(record.shard_account)),
      };
    }

    function runOwn(record: Input, run: AccountRun): Promise<string> {
      const outcome =
        record.kind === "ordinary"
          ? own.runTransaction({ ...run, message: cellOf(record.message) })
          : own.runTickTock({ ...run, which: whichOf(record) });
      return outcome.then(textOf, failureOf);
    }

    it.each(versions)("equal those of the WebAssembly machine: version %i", async (version) => {
      const oracle = await WasmOracle.open();
      const config = withVersion(newest, version);
      const part = records.filter(({ config: variant }, i) => variant === undefined && i % parts === version % parts);
      expect(part.length).toBeGreaterThan(0);
      let compared = 0;
      for (const record of part) {
        const run = inputOf(record, config);
        const root = typeof record.libraries === "string" ? cellOf(record.libraries) : undefined;
        const expected = await runOn(oracle, record, run, root);
        if (expected === undefined) continue;
        compared++;
        const text = await runOwn(record, { ...run, findLibrary: librariesOf(root) });
        expect.soft({ id: record.id, version, text }).toEqual({ id: record.id, version, text: expected });
      }
      expect(compared / part.length).toBeGreaterThan(0.8);
    });
  },
);

function whichOf({ kind }: Input): "tick" | "tock" {
  return kind === "tick" ? "tick" : "tock";
}

function runOn(oracle: WasmOracle, record: Input, run: AccountRun, libraries: Cell | undefined) {
  if (record.kind === "ordinary") return oracle.runTransaction({ ...run, message: cellOf(record.message) }, libraries);
  return oracle.runTickTock({ ...run, which: whichOf(record) }, libraries);
}

function withVersion(config: Config, version: number): Config {
  const { capabilities } = getConfigParam(config, 8);
  const { root } = config.params.set(8, storeCell(GlobalVersion, { version, capabilities }));
  if (root === undefined) throw new Error("a configuration without parameters");
  return configFromRoot(root);
}

function textOf(outcome: TransactionOutcome): string {
  if (outcome.kind === "notAccepted") return `not accepted ${outcome.exitCode}`;
  return `${outcome.transaction.cell.hash()} ${storeCell(ShardAccount, outcome.account).hash()}`;
}

function failureOf(error: unknown): string {
  return asRecord(error).code === "tvm/input" ? "rejected" : String(error);
}
