import { afterAll, beforeAll, expect, it } from "vitest";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { ShardAccount } from "../../../src/model/Account.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { noCurrency } from "../../../src/model/Currency.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import { VmStack, VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { AccountRun } from "../../../src/tvm/Executor.ts";
import { openExecutor } from "../../../src/tvm/engine/openExecutor.ts";
import type { WasmExecutor } from "../../../src/tvm/engine/WasmExecutor.ts";
import { supportedGlobalVersion } from "../../../src/tvm/globalVersion.ts";
import { describeCorpus, readJson, readJsonLinesGz } from "../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../kit/suite/record.ts";
import { cellOf, librariesOf, RecordedConfigs } from "../../kit/tvm/tvmRecords.ts";

/** One program in so many is run: all of them take minutes. */
const sampleStep = 12;

/**
 * Where the machine of the package, built in December 2025, does not yet follow version 13 as it came out: messages with
 * a bad mode or a foreign source are not skipped, SHLDIV and its kin and quiet POW2 take shifts that are too large.
 * To be emptied when the package follows; a transaction here that agrees fails the test.
 */
const earlyTransactions = /^transaction-(?:0079|008[014567]|009[01]|0119|012[0234])$/;
const earlyInstructions = /^(?:a9c|b7a9c|b7ae)/;

describeCorpus("machine vectors of the corpus", (folder) => {
  const environment = asRecord(readJson(folder, "tvm/environment.json"));
  const version = String(supportedGlobalVersion);
  const config = new RecordedConfigs(folder).get(`tvm/config-v${version}.boc`);
  let executor: WasmExecutor;
  beforeAll(async () => {
    executor = await openExecutor({ workers: 2, maxWaiting: 100_000 }, { clock: systemClock });
  });
  afterAll(() => executor.close());

  const given = asRecord(environment.transactions);
  async function runRecord(record: Readonly<Record<string, unknown>>): Promise<unknown> {
    const run: AccountRun = {
      config,
      now: Number(given.unixtime),
      lt: BigInt(asText(given.lt)),
      randomSeed: parseHash(asText(given.block_rand_seed_hex)),
      account: loadCell(ShardAccount, cellOf(record.shard_account)),
    };
    const outcome =
      record.kind === "ordinary"
        ? await executor.runTransaction({ ...run, message: cellOf(record.message) })
        : await executor.runTickTock({ ...run, which: record.kind === "tick" ? "tick" : "tock" });
    if (outcome.kind === "notAccepted") return { exitCode: outcome.exitCode };
    const account = storeCell(ShardAccount, outcome.account).hash();
    return { transaction: outcome.transaction.cell.hash(), account, actions: outcome.actions?.hash() };
  }

  function expectedTransaction(record: Readonly<Record<string, unknown>>, found: unknown): unknown {
    const expected = asRecord(asRecord(record.versions)[version]);
    if (expected.success !== true) return { exitCode: expected.vm_exit_code };
    // Very large lists of actions are not recorded.
    const actions = typeof expected.actions === "string" ? cellOf(expected.actions).hash() : asRecord(found).actions;
    return { transaction: expected.transaction_hash, account: expected.shard_account_hash, actions };
  }

  it("give the recorded transactions", async () => {
    const records = readJsonLinesGz(folder, "tvm/transactions.jsonl.gz").map(asRecord);
    expect(records.length).toBeGreaterThan(0);
    const check = async (record: Readonly<Record<string, unknown>>) => {
      const found = await runRecord(record);
      const outcome = expect.soft({ id: record.id, found });
      const expected = { id: record.id, found: expectedTransaction(record, found) };
      if (earlyTransactions.test(asText(record.id))) outcome.not.toEqual(expected);
      else outcome.toEqual(expected);
    };
    await Promise.all(records.map(check));
  });

  const extra = Object.entries(asRecord(environment.extra_currencies)).reduce(
    (sum, [id, amount]) => sum.set(Number(id), BigInt(asText(amount))),
    noCurrency.extra,
  );
  async function runProgram(record: Readonly<Record<string, unknown>>, each: unknown): Promise<unknown> {
    const { in_boc: input, gas_limit: limit = environment.default_gas_limit } = asRecord(each);
    const libraries =
      record.libraries === undefined ? undefined : asRecord(environment.libraries)[asText(record.libraries)];
    const outcome = await executor.runGetMethod({
      config,
      now: Number(environment.unixtime),
      randomSeed: parseHash(asText(environment.rand_seed_hex)),
      address: parseAddress(asText(environment.address)).address,
      data: cellOf(environment.data),
      balance: { coins: BigInt(asText(environment.balance)), extra },
      method: Number(environment.method_id),
      previousBlocks: loadCell(VmStackValue, cellOf(environment.prev_blocks_info)),
      code: cellOf(record.code),
      findLibrary: librariesOf(libraries === undefined ? undefined : cellOf(libraries)),
      stack: loadCell(VmStack, cellOf(input)),
      gasLimit: BigInt(Number(limit)),
    });
    const { exitCode, gasUsed, missingLibrary } = outcome;
    return { exitCode, gasUsed: Number(gasUsed), stack: storeCell(VmStack, outcome.stack).hash(), missingLibrary };
  }

  it("give the recorded exit code, gas and stack", async () => {
    const records = readJsonLinesGz(folder, "tvm/instructions.jsonl.gz").map(asRecord);
    const sample = records.filter(
      ({ name }, index) => index % sampleStep === 0 && !earlyInstructions.test(asText(name)),
    );
    expect(sample.length).toBeGreaterThan(0);
    const check = async (record: Readonly<Record<string, unknown>>, each: unknown) => {
      const expected = asRecord(asRecord(asRecord(each).versions)[version]);
      const missing = expected.missing_library;
      expect.soft({ id: record.id, each, found: await runProgram(record, each) }).toEqual({
        id: record.id,
        each,
        found: {
          exitCode: expected.exit_code,
          gasUsed: expected.gas_used,
          stack: cellOf(expected.stack_boc).hash(),
          missingLibrary: missing === undefined ? undefined : parseHash(asText(missing)),
        },
      });
    };
    await Promise.all(sample.flatMap((record) => asList(record.runs).map((each) => check(record, each))));
  });
});
