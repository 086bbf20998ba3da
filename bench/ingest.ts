import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Cell as CoreCell, loadTransaction } from "@ton/core";
import { readRoot, writeBoc } from "../src/cell/boc.ts";
import { loadCell } from "../src/cell/codec.ts";
import { decodeBatch } from "../src/history/ingest/decode/decodeBatch.ts";
import type { BlockBatch } from "../src/history/ingest/source/BlockBatch.ts";
import { Block, forEachTransaction } from "../src/model/block/Block.ts";
import { zeroHash } from "../src/model/Hash.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";

/** Recorded blocks of real networks if there is a corpus, otherwise those in the repository. */
export function benchmarks({ corpus }: BenchContext): readonly Benchmark[] {
  const found = corpus === undefined ? fixtureBlocks() : corpusBlocks(join(corpus, "blocks"));
  const busy = found.filter((bytes) => countTransactions(bytes) > 0);
  const count = busy.reduce((sum, bytes) => sum + countTransactions(bytes), 0);
  const bags = busy.flatMap(transactionBags);
  return [
    benchmark({
      name: `${busy.length} blocks to rows, ${count} tx`,
      group: "ingest",
      unit: "tx/s",
      amount: count,
      baseline: { name: "@ton/core, only loading the transactions", run: () => bags.map(loadByCore) },
      subject: { run: () => busy.map((bytes) => decodeBatch(batchOf(bytes))) },
      mark: 5,
    }),
  ];
}

/** Each block, of any chain, as its own batch; hashes its root like a source. */
function batchOf(bytes: Uint8Array): BlockBatch {
  const root = readRoot(bytes);
  const info = loadCell(Block, root).info.load();
  const id = { ...info.shard, seqno: info.seqno, rootHash: root.hash(), fileHash: zeroHash };
  const block = { id, root };
  return { mcSeqno: info.minRefMcSeqno, master: block, shardBlocks: [], tops: [], globalVersion: 12 };
}

function countTransactions(bytes: Uint8Array): number {
  let count = 0;
  forEachTransaction(loadCell(Block, readRoot(bytes)), () => void count++);
  return count;
}

function transactionBags(bytes: Uint8Array): Buffer[] {
  const bags: Buffer[] = [];
  forEachTransaction(loadCell(Block, readRoot(bytes)), (cell) => void bags.push(writeBoc(cell)));
  return bags;
}

function loadByCore(bag: Buffer): unknown {
  const [root] = CoreCell.fromBoc(bag);
  return root === undefined ? undefined : loadTransaction(root.beginParse());
}

function corpusBlocks(folder: string): Buffer[] {
  const files = readdirSync(folder).filter((path) => path.endsWith(".boc"));
  return files.sort().map((path) => readFileSync(join(folder, path)));
}

/** The busy blocks of the recorded chain in the test fixtures. */
function fixtureBlocks(): Uint8Array[] {
  const folder = join(process.cwd(), "test/fixtures/realnet/traffic");
  const stream = gunzipSync(readFileSync(join(folder, "blocks.bin.gz")));
  const { blocks } = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as {
    readonly blocks: readonly { readonly offset: number; readonly size: number }[];
  };
  return blocks.map(({ offset, size }) => stream.subarray(offset, offset + size));
}
