import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf, librariesOf, RecordedConfigs } from "../../../kit/tvm/tvmRecords.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { ShardAccount } from "../../../src/model/Account.ts";
import { type Config, configFromRoot } from "../../../src/model/config/ConfigParams.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import type { AccountRun, TransactionOutcome } from "../../../src/tvm/Executor.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";

type Record = Readonly<globalThis.Record<string, unknown>>;

/** The result of a run in the format of the recordings. */
interface Found {
  readonly transaction?: unknown;
  readonly account?: unknown;
  readonly actions?: unknown;
  readonly exitCode?: unknown;
  readonly rejected?: true;
}

describeCorpusPart(
  "recorded transactions around the machine",
  ["tvm/*transactions*.jsonl.gz", "tvm/environment.json"],
  (folder) => {
    const environment = asRecord(readJson(folder, "tvm/environment.json"));
    const common = asRecord(environment.transactions);
    const configs = new RecordedConfigs(folder);
    const variants = new Map<string, Config>();
    const files = listFiles(folder, "tvm", ".jsonl.gz").filter((path) => path.includes("/transactions"));
    const executor = transactionExecutor();

    function configOf(record: Record, version: string): Config {
      if (record.config === undefined) return configs.get(`tvm/${asText(asRecord(environment.config)[version])}`);
      const name = `${record.config} ${version}`;
      const all = asRecord(asRecord(readJson(folder, "tvm/transactions-more-configs.json")).variants);
      const variant =
        variants.get(name) ?? configFromRoot(cellOf(asRecord(asRecord(all[asText(record.config)]).config)[version]));
      variants.set(name, variant);
      return variant;
    }

    async function runRecord(record: Record, version: string): Promise<Found> {
      const given = { ...common, ...record };
      const run: AccountRun = {
        config: configOf(record, version),
        now: Number(given.unixtime),
        lt: BigInt(asText(given.lt)),
        randomSeed: parseHash(asText(given.block_rand_seed_hex)),
        findLibrary: librariesOf(typeof given.libraries === "string" ? cellOf(given.libraries) : undefined),
        account: loadCell(ShardAccount, cellOf(record.shard_account)),
      };
      const outcome =
        record.kind === "ordinary"
          ? executor.runTransaction({ ...run, message: cellOf(record.message) })
          : executor.runTickTock({ ...run, which: record.kind === "tick" ? "tick" : "tock" });
      return outcome.then(foundIn, (error: unknown) => {
        if (asRecord(error).code === "tvm/input") return { rejected: true };
        throw error;
      });
    }

    it.each(files)(
      "are reproduced with their accounts in every version: %s",
      async (path) => {
        let count = 0;
        for (const each of readJsonLinesGz(folder, path)) {
          const record = asRecord(each);
          let expected: unknown;
          for (const [version, outcome] of Object.entries(asRecord(record.versions))) {
            expected = outcome === "same" ? expected : outcome;
            const found = await runRecord(record, version);
            expect({ id: record.id, version, found }).toEqual({
              id: record.id,
              version,
              found: wanted(asRecord(expected), found),
            });
            count++;
          }
        }
        expect(count).toBeGreaterThan(0);
      },
      600_000,
    );
  },
);

function foundIn(outcome: TransactionOutcome): Found {
  if (outcome.kind === "notAccepted") return { exitCode: outcome.exitCode };
  const account = storeCell(ShardAccount, outcome.account).hash();
  return { transaction: outcome.transaction.cell.hash(), account, actions: outcome.actions?.hash() };
}

function wanted(expected: Record, found: Found): Found {
  if (expected.rejected_before_execution === true) return { rejected: true };
  if (expected.success !== true) return { exitCode: expected.vm_exit_code };
  return {
    transaction: expected.transaction_hash,
    account: expected.shard_account_hash,
    actions: actionsHash(expected, found),
  };
}

/** A large list has only its hash; if neither is recorded, no code ran or the list is even larger. */
function actionsHash({ actions, actions_hash: hash }: Record, found: Found): unknown {
  if (typeof actions === "string") return cellOf(actions).hash();
  return typeof hash === "string" ? hash : found.actions;
}
