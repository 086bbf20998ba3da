import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { decodeBatch } from "../../../src/history/ingest/decode/decodeBatch.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { rightMasks } from "../../kit/cell/rightMasks.ts";
import { blockRowJson, comparable, transactionRowsJson } from "../../kit/history/ingestRows.ts";

/** Recorded answers contain flags only for messages under the newer rule. */
function versionOf(transaction: Readonly<Record<string, unknown>>): number {
  const messages = [transaction.in_msg, ...asList(transaction.out_msgs)].filter((message) => message !== null);
  return messages.some((message) => typeof asRecord(message).extra_flags === "string") ? 12 : 11;
}

function checkRows(expected: Readonly<Record<string, unknown>>, boc: string, workchain: number): void {
  const reported = transactionRowsJson(Buffer.from(boc, "base64"), workchain, versionOf(expected));
  const parts = comparable(asToday(expected), reported);
  expect(parts.reported).toEqual(parts.expected);
}

/** An expectation in the current format. */
function asToday(transaction: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { in_msg: received, out_msgs: sent } = transaction;
  return { ...transaction, in_msg: messageToday(received), out_msgs: asList(sent).map(messageToday) };
}

function messageToday(message: unknown): unknown {
  if (message === null) return null;
  const record = asRecord(message);
  const content = record.message_content === null ? undefined : asRecord(record.message_content);
  return {
    ...record,
    ...(content === undefined ? {} : { message_content: { ...content, body: rightMasks(asText(content.body)) } }),
    // Outgoing external messages had an empty currency map in older answers, and have null now.
    ...(record.value === null ? { value_extra_currencies: null } : {}),
  };
}

describeCorpusPart(
  "rows of recorded data",
  ["blocks/*.expected.json", "transactions/*.json", "api-v3/traces/*.response.json"],
  (folder) => {
    it.each(listFiles(folder, "blocks", ".expected.json"))("contain the header and transactions of %s", (path) => {
      const { header, transactions } = asRecord(readJson(folder, path));
      const root = readRoot(readBytes(folder, path.replace(".expected.json", ".boc")));
      const info = loadCell(Block, root).info.load();
      const id = { ...info.shard, seqno: info.seqno, rootHash: root.hash(), fileHash: zeroHash };
      const batch = { mcSeqno: 1, master: { id, root }, shardBlocks: [], tops: [], globalVersion: 11 };
      const decoded = decodeBatch(batch);
      const [row] = decoded.rows.blocks;
      if (row === undefined) throw new Error("no row");
      const parts = comparable(header, blockRowJson(row));
      expect(parts.reported).toEqual(parts.expected);
      const master = asRecord(header).master_ref;
      expect(row.masterRefSeqno).toBe(master === undefined || master === null ? 0 : asRecord(master).seqno);
      const hashes = asList(transactions).map((transaction) => asText(asRecord(transaction).hash));
      const reported = decoded.transactions.map(({ row: { hash } }) => Buffer.from(hash, "hex").toString("base64"));
      expect(reported.sort()).toEqual(hashes.sort());
    });

    it.each(listFiles(folder, "transactions", ".json"))("contain the fields of every transaction of %s", (path) => {
      for (const entry of asList(asRecord(readJson(folder, path)).transactions).map(asRecord)) {
        const expected = asRecord(entry.expected);
        checkRows(expected, asText(entry.boc), Number(asText(expected.account).split(":")[0]));
      }
    });

    it.each(listFiles(folder, join("api-v3", "traces"), ".response.json"))("contain the transactions of %s", (path) => {
      const bags = asRecord(asRecord(readJson(folder, path.replace(".response", ".transactions"))).transactions);
      for (const trace of asList(asRecord(readJson(folder, path)).traces).map(asRecord)) {
        for (const [hash, transaction] of Object.entries(asRecord(trace.transactions))) {
          const expected = asRecord(transaction);
          const { boc } = asRecord(bags[hash]);
          // The corpus has null for cells that could not be rebuilt from the answer.
          if (boc === null) continue;
          checkRows(expected, asText(boc), Number(asText(expected.account).split(":")[0]));
          const reported = transactionRowsJson(Buffer.from(asText(boc), "base64"), 0, 12);
          expect(reported.account_state_hash_before).toBe(asRecord(expected.account_state_before).hash);
          expect(reported.account_state_hash_after).toBe(asRecord(expected.account_state_after).hash);
          expect(reported.aborted).toBe(asRecord(expected.description).aborted ?? false);
        }
      }
    });
  },
);
