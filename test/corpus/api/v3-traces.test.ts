import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { asList, asRecord } from "../../../kit/suite/record.ts";
import { trace as traceShape } from "../../../src/api/v3/shapes/traces.ts";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import type { TraceRow } from "../../../src/history/store/schema/tables.ts";
import { workchainOf } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import { normalizedHash } from "../../../src/model/normalizedHash.ts";
import { type TraceTransaction, traceTransaction } from "../../../src/model/Trace.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { listDifferences, listRecorded, remakeInContext } from "../../kit/api/v3/v3Answers.ts";
import { accountsIn } from "../../kit/api/v3/v3Requests.ts";

type Json = Readonly<Record<string, unknown>>;
type Recorded = ReturnType<typeof listRecorded>[number];

/** Accepted differences of recorded answers, with the reason. */
const reasons: readonly { readonly at: RegExp; readonly words: string }[] = [
  { at: /^actions/, words: "actions are compared by a test of their own" },
  { at: /^transactions\./, words: "transactions are compared by a test of their own" },
];

function byTime(a: TraceTransaction, b: TraceTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return workchainOf(a.account) - workchainOf(b.account) || (a.account < b.account ? -1 : 1);
}

/** The trace as an index assembles it from these transactions, block by block. */
function assemble(transactions: readonly Recorded[]): TraceRow | undefined {
  const memory = new TraceMemory();
  const normalized = new Map<Hash, Hash>();
  const traceTransactions = transactions.map(({ recorded, cell }) => {
    const loaded = loadInCell(Transaction, cell);
    const received = loaded.messages.in;
    if (received?.info.kind === "externalIn")
      normalized.set(received.cell.hash(), normalizedHash({ info: received.info, body: received.body }));
    const workchain = Number(String(recorded.account).split(":")[0]);
    return traceTransaction(loaded, { workchain, mcSeqno: Number(recorded.mc_block_seqno), emulated: false });
  });
  let row: TraceRow | undefined;
  for (const mcSeqno of [...new Set(traceTransactions.map((each) => each.mcSeqno))].sort((a, b) => a - b)) {
    const own = traceTransactions.filter((each) => each.mcSeqno === mcSeqno).sort(byTime);
    const step = assembleTraces(memory, { mcSeqno, transactions: own, normalized });
    memory.apply(step);
    row = step.touched.at(-1)?.row ?? row;
  }
  return row;
}

function remake(transactions: readonly Recorded[]): Json | undefined {
  const head = assemble(transactions);
  if (head === undefined) return undefined;
  const context = transactions
    .map(({ recorded, cell }) => remakeInContext(cell, recorded))
    .sort(({ row: a }, { row: b }) => (a.lt === b.lt ? (a.account < b.account ? -1 : 1) : a.lt < b.lt ? -1 : 1));
  const shown = traceShape.encode({ head, transactions: context, actions: undefined, isCut: false });
  return JSON.parse(JSON.stringify(shown)) as Json;
}

/** The accounts of a recorded trace's transactions and actions. */
function accountsOf(trace: Json): readonly unknown[] {
  const partners = Object.values(asRecord(trace.transactions)).flatMap((each) => {
    const { account, in_msg: received, out_msgs: sent } = asRecord(each);
    return [account, Object(received).source, ...asList(sent).map((message) => asRecord(message).destination)];
  });
  return [...partners, ...asList(trace.actions ?? []).flatMap((action) => accountsIn(asRecord(action).details))];
}

describeCorpusPart("recorded traces of v3", "api-v3/traces/*.response.json", (folder) => {
  it("have the same accounts in their address books as ours", () => {
    const files = listFiles(folder, "api-v3/traces", ".response.json");
    for (const path of files) {
      const answer = asRecord(readJson(folder, path));
      const involved = asList(answer.traces).map(asRecord).flatMap(accountsOf);
      const accounts = new Set(involved.filter((each) => typeof each === "string"));
      expect([path, Object.keys(asRecord(answer.address_book)).toSorted()]).toEqual([path, [...accounts].toSorted()]);
    }
  });

  it("are assembled again from their transactions: tree, order and summary", () => {
    const counts = new Map<string, number>();
    const unexplained: unknown[] = [];
    let made = 0;
    let cut = 0;
    const files = listFiles(folder, "api-v3/traces", ".response.json");
    const cells = new Set(listFiles(folder, "api-v3/traces", ".transactions.json"));
    const cellsOf = (path: string) => path.replace(".response.json", ".transactions.json");
    reportAbsent(
      "cells of",
      files.filter((path) => !cells.has(cellsOf(path))),
    );
    for (const path of files.filter((each) => cells.has(cellsOf(each)))) {
      const bags = readJson(folder, cellsOf(path));
      for (const each of asList(asRecord(readJson(folder, path)).traces)) {
        const recorded = asRecord(each);
        const transactions = listRecorded({ traces: [recorded] }, bags);
        // Some transactions could not be rebuilt, and a trace needs all of them.
        if (transactions.length !== asList(recorded.transactions_order).length) {
          cut++;
          continue;
        }
        made++;
        for (const [at, ours, theirs] of listDifferences(remake(transactions), recorded)) {
          const reason = reasons.find((known) => known.at.test(at))?.words;
          if (reason === undefined) unexplained.push([path, at, ours, theirs]);
          else counts.set(reason, (counts.get(reason) ?? 0) + 1);
        }
      }
    }
    process.stdout.write(`v3 traces made again: ${made}, not whole: ${cut}; ${JSON.stringify([...counts])}\n`);
    expect(unexplained).toEqual([]);
  });
});
