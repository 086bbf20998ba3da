import { join } from "node:path/posix";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf, previousBlocksOf, RecordedConfigs, readLibraries } from "../../../kit/tvm/tvmRecords.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { ShardAccount } from "../../../src/model/Account.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import type { AccountRun, TransactionOutcome } from "../../../src/tvm/Executor.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";

function hashesOf(outcome: TransactionOutcome) {
  if (outcome.kind !== "done") throw new Error(`not accepted: ${outcome.reason}`);
  return { transaction: outcome.transaction.cell.hash(), account: storeCell(ShardAccount, outcome.account).hash() };
}

describeCorpusPart("replays of single transactions", "replays/single/*.json", (folder) => {
  const configs = new RecordedConfigs(folder);
  const executor = transactionExecutor();

  it.each(listFiles(folder, "replays/single", ".json"))("gives the recorded hashes: %s", async (path) => {
    const { kind, input, expected } = asRecord(readJson(folder, path));
    const given = asRecord(input);
    const run: AccountRun = {
      config: configs.get(join("replays", asText(given.config))),
      now: Number(given.now),
      lt: BigInt(asText(given.lt)),
      randomSeed: parseHash(asText(given.block_rand_seed_hex)),
      findLibrary: readLibraries(folder, "replays", given.libraries),
      signatures: given.ignore_signature_checks === true ? "ignore" : "check",
      account: loadCell(ShardAccount, cellOf(given.shard_account_before)),
      ...previousBlocksOf(given.prev_blocks_info_stack_value),
    };
    const outcome =
      kind === "ordinary"
        ? await executor.runTransaction({ ...run, message: cellOf(given.in_message) })
        : await executor.runTickTock({ ...run, which: kind === "tick" ? "tick" : "tock" });
    const { transaction_hash: transaction, shard_account_after_hash: account } = asRecord(expected);
    expect(hashesOf(outcome)).toEqual({
      transaction: parseHash(asText(transaction)),
      account: parseHash(asText(account)),
    });
  });
});

describeCorpusPart("replays of whole blocks", "replays/*/replay.json", (folder) => {
  const configs = new RecordedConfigs(folder);
  const executor = transactionExecutor();

  it.each(listFiles(folder, "replays", "replay.json"))("gives every transaction and account: %s", async (path) => {
    const block = asRecord(readJson(folder, path));
    const from = join(path, "..");
    const common = {
      config: configs.get(join(from, asText(block.config))),
      randomSeed: parseHash(asText(block.block_rand_seed_hex)),
      findLibrary: readLibraries(folder, from, block.libraries),
      ...previousBlocksOf(block.prev_blocks_info_stack_value),
    };
    const replay = async (each: unknown) => {
      const { shard_account_before: before, transactions, shard_account_after_hash: after } = asRecord(each);
      let account = loadCell(ShardAccount, cellOf(before));
      const hashes: string[] = [];
      for (const transaction of asList(transactions)) {
        const { lt, now, in_msg_boc: message } = asRecord(transaction);
        const run = { ...common, account, now: Number(now), lt: BigInt(asText(lt)), message: cellOf(message) };
        const outcome = await executor.runTransaction(run);
        hashes.push(hashesOf(outcome).transaction);
        if (outcome.kind === "done") account = outcome.account;
      }
      const expected = asList(transactions).map((transaction) => parseHash(asText(asRecord(transaction).hash)));
      expect({ hashes, after: storeCell(ShardAccount, account).hash() }).toEqual({
        hashes: expected,
        after: parseHash(asText(after)),
      });
    };
    await Promise.all(asList(block.accounts).map(replay));
  });
});
