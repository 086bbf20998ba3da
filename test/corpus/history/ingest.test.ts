import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, withRecorded } from "../../../kit/suite/record.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { signedShard } from "../../../src/model/block/BlockId.ts";
import { listChainRecords } from "../../kit/cell/chainRecord.ts";
import { checkBlocks, checkStates, checkTransactions, latestStates } from "../../kit/history/checkIngest.ts";
import { type Ingested, ingestAll } from "../../kit/history/ingestStage.ts";

describeCorpusPart("ingest of recorded chains", "*/index.json", (folder) => {
  describe.each(listChainRecords(folder))("%s", (name) => {
    let ledger: Ledger;
    let ingested: Awaited<ReturnType<typeof ingestAll>>;
    beforeAll(async () => {
      ledger = importChain(join(folder, name));
      ingested = await ingestAll(ledger);
    });

    it("loses nothing and adds nothing", () => {
      const { steps, counters } = ingested;
      checkBlocks(ledger, steps);
      const { transactions, messages } = checkTransactions(ledger, steps);
      const states = checkStates(ledger, steps);
      const { unknown, missing, hidden } = counters.queries;
      expect(counters.rebuilt + unknown + missing + hidden).toBe(states);
      // From the first block with the initial states, almost nothing is unknown.
      expect(unknown + missing + hidden).toBeLessThan(states / 500);
      process.stdout.write(
        `${name}: ${transactions} transactions, ${messages} messages, ${states} states, asked: ${JSON.stringify(counters.queries)}\n`,
      );
    });

    // Recordings have different files.
    const [transactions] = listFiles(folder, name, "transactions.jsonl.gz");
    if (transactions !== undefined) {
      it("has the transactions of a second parser", () =>
        checkRecordedTransactions(readJsonLinesGz(folder, transactions).map(asRecord), ingested.steps));
    }
    const [accounts] = listFiles(folder, name, "accounts.json");
    if (accounts !== undefined) {
      it("ends with the recorded accounts", () =>
        checkRecordedAccounts(asRecord(readJson(folder, accounts)), ledger, ingested.steps));
    }
  });
});

const statuses: Readonly<Record<string, string>> = {
  ...{ uninit: "uninitialized", frozen: "frozen", active: "active", nonexist: "non-existing" },
};

type Recorded = Readonly<Record<string, unknown>>;

function checkRecordedTransactions(expected: readonly Recorded[], steps: readonly Ingested[]): void {
  const rows = new Map(
    steps.flatMap(({ decoded }) => decoded.transactions.map((entry) => [entry.row.hash as string, entry])),
  );
  expect(rows.size).toBe(expected.length);
  for (const fact of expected) {
    const entry = rows.get(String(fact.hash));
    if (entry === undefined) throw new Error(`no row of ${fact.hash}`);
    const { row, seen } = entry;
    const shard = String(signedShard(row.blockShard));
    const found = {
      account: row.account,
      lt: String(row.lt),
      now: row.now,
      block: [row.blockWorkchain, shard, row.blockSeqno],
      mc_seqno: row.mcBlockSeqno,
      prev_trans_hash: row.prevTransHash,
      prev_trans_lt: String(row.prevTransLt),
      orig_status: statuses[row.origStatus],
      end_status: statuses[row.endStatus],
      total_fees: String(row.totalFees),
      aborted: row.aborted,
      in_msg: row.inMsgHash ?? null,
      out_msgs: seen.outMessages.map(({ hash }) => hash),
    };
    const received = fact.in_msg === null ? null : Object(fact.in_msg).hash;
    expect(found).toEqual(withRecorded(found, { ...fact, in_msg: received }));
  }
}

/** Compares the accounts at the head. */
function checkRecordedAccounts(reported: Recorded, ledger: Ledger, steps: readonly Ingested[]): void {
  const { at_mc_seqno: seqno, accounts } = reported;
  if (seqno !== undefined) expect(seqno).toBe(ledger.headId.seqno);
  const latest = latestStates(steps);
  for (const fact of asList(accounts).map(asRecord)) {
    const row = latest.get(fact.address as never);
    if (row === undefined) {
      expect([fact.address, fact.tx_count]).toEqual([fact.address, 0]);
      continue;
    }
    const found = {
      status: row.status,
      balance: String(row.balance),
      account_state_hash: row.status === "nonexist" ? undefined : row.hash,
      extra_currencies: row.balanceExtra,
      code_hash: row.codeHash,
      data_hash: row.dataHash,
      frozen_hash: row.frozenHash,
    };
    expect(found).toEqual(withRecorded(found, fact));
  }
}
