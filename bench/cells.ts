import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beginCell, Cell as CoreCell, Dictionary as CoreDictionary } from "@ton/core";
import { crcForm, readRoot, writeBoc } from "../src/cell/boc.ts";
import { uint64 } from "../src/cell/codec.ts";
import { Dictionary, makeDictionary } from "../src/cell/dictionary.ts";
import { bigUintKey } from "../src/cell/keys.ts";
import { seededRandom } from "../src/lib/random.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";

const baselineName = "@ton/core";
const group = "cells";
/** Target ratio for parsing with all hashes. */
const hashMark = 18;

export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  if (corpus === undefined) {
    leaveOut("block files are in the corpus");
    return dictionaryBenchmarks();
  }
  return [...blockBenchmarks(join(corpus, "blocks")), ...dictionaryBenchmarks()];
}

function blockBenchmarks(folder: string): Benchmark[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".boc"));
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  // The reference input: a basechain block of 506 KB without index, as sent by a node.
  const large = files.find(({ name }) => name === "mainnet_0_8000000000000000_71398501.boc");
  const all = files.map(({ bytes }) => bytes);
  return [
    ...(large === undefined ? [] : largeBenchmarks(large.bytes)),
    hashBenchmark(`parse + all hashes, ${all.length} block files`, all),
  ];
}

function largeBenchmarks(bytes: Buffer): Benchmark[] {
  const size = `${Math.round(bytes.length / 1000)} KB block`;
  const ours = readRoot(bytes);
  const theirs = readCore(bytes);
  return [
    benchmark({
      name: `parse, ${size}`,
      group,
      unit: "MB/s",
      amount: bytes.length / 1e6,
      baseline: { name: `${baselineName}, hashes too`, run: () => readCore(bytes) },
      subject: { run: () => readRoot(bytes) },
    }),
    hashBenchmark(`parse + all hashes, ${size}`, [bytes]),
    benchmark({
      name: `serialise, ${size}`,
      group,
      unit: "MB/s",
      amount: bytes.length / 1e6,
      baseline: { name: baselineName, run: () => theirs.toBoc({ idx: false, crc32: true }) },
      subject: { run: () => writeBoc(ours, crcForm) },
    }),
  ];
}

/** The hash of a root needs the hashes of all cells below it; `@ton/core` computes them while parsing. */
function hashBenchmark(name: string, files: readonly Buffer[]): Benchmark {
  return benchmark({
    name,
    group,
    unit: "MB/s",
    amount: files.reduce((sum, { length }) => sum + length, 0) / 1e6,
    baseline: { name: baselineName, run: () => files.map((bytes) => readCore(bytes).hash()) },
    subject: { run: () => files.map((bytes) => readRoot(bytes).hash()) },
    mark: hashMark,
  });
}

function readCore(bytes: Buffer): CoreCell {
  const [root] = CoreCell.fromBoc(bytes);
  if (root === undefined) throw new Error("a block without a root");
  return root;
}

function dictionaryBenchmarks(): Benchmark[] {
  const random = seededRandom("dictionary");
  const key = bigUintKey(256);
  const number = (bytes: number) => BigInt(`0x${Buffer.from(random.bytes(bytes)).toString("hex")}`);
  const entries = Array.from({ length: 10_000 }, (): [bigint, bigint] => [number(32), number(8)]);
  const { root } = makeDictionary(key, uint64, entries);
  if (root === undefined) throw new Error("an empty dictionary");
  const bytes = writeBoc(root);
  const coreKey = CoreDictionary.Keys.BigUint(256);
  const coreValue = CoreDictionary.Values.BigUint(64);
  return [
    benchmark({
      name: "dictionary walk, 10,000 keys of 256 bits",
      group,
      unit: "entries/s",
      amount: entries.length,
      baseline: {
        name: baselineName,
        run: () => [...CoreDictionary.loadDirect(coreKey, coreValue, readCore(bytes).beginParse())],
      },
      subject: { run: () => new Dictionary(readRoot(bytes), key, uint64, entries.length).entries() },
    }),
    benchmark({
      name: "dictionary made, 10,000 keys of 256 bits",
      group,
      unit: "entries/s",
      amount: entries.length,
      baseline: { name: baselineName, run: () => makeCore(entries) },
      subject: { run: () => makeDictionary(key, uint64, entries).root?.hash() },
    }),
  ];
}

function makeCore(entries: readonly (readonly [bigint, bigint])[]): Buffer {
  const made = CoreDictionary.empty(CoreDictionary.Keys.BigUint(256), CoreDictionary.Values.BigUint(64));
  for (const [key, value] of entries) made.set(key, value);
  return beginCell().storeDictDirect(made).endCell().hash();
}
