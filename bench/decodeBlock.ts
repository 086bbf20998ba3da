import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  Cell as CoreCell,
  Dictionary,
  type DictionaryValue,
  loadCurrencyCollection,
  loadTransaction,
  type Slice,
} from "@ton/core";
import { readRoot } from "../src/cell/boc.ts";
import { type Cell, hashAll } from "../src/cell/Cell.ts";
import { loadCell } from "../src/cell/codec.ts";
import { Block, forEachTransaction } from "../src/model/block/Block.ts";
import { loadInCell } from "../src/model/Message.ts";
import { Transaction } from "../src/model/Transaction.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit/benchmark.ts";

/** The results of both sides, compared once before the measurement. */
interface Found {
  readonly transactions: string[];
  readonly messages: string[];
  bodyBits: number;
  fees: bigint;
}

/** The reference input with a higher target: a basechain block of 506 KB. */
const measure = "mainnet_0_8000000000000000_71398501";

export function benchmarks({ corpus, leaveOut }: BenchContext): readonly Benchmark[] {
  if (corpus === undefined) {
    leaveOut("no corpus");
    return [];
  }
  const folder = join(corpus, "blocks");
  const files = readdirSync(folder).filter((path) => path.endsWith(".boc"));
  return files.sort().map((path) => decodeBenchmark(basename(path, ".boc"), readFileSync(join(folder, path))));
}

function decodeBenchmark(name: string, bytes: Buffer): Benchmark {
  const [ours, theirs] = [decode(bytes), decodeByCore(bytes)];
  if (JSON.stringify(shown(ours)) !== JSON.stringify(shown(theirs)))
    throw new Error(`the two sides decode ${name} differently`);
  return benchmark({
    name: `decode ${name}, ${ours.transactions.length} tx`,
    group: "blocks",
    unit: "blocks/s",
    baseline: { name: "@ton/core", run: () => decodeByCore(bytes) },
    subject: { run: () => decode(bytes) },
    mark: name === measure ? 100 : 40,
  });
}

function shown({ transactions, messages, bodyBits, fees }: Found): unknown {
  return [transactions, messages, bodyBits, String(fees)];
}

function decode(bytes: Uint8Array): Found {
  const found: Found = { transactions: [], messages: [], bodyBits: 0, fees: 0n };
  const cells: Cell[] = [];
  forEachTransaction(loadCell(Block, readRoot(bytes)), (cell) => cells.push(cell));
  hashAll(cells);
  for (const cell of cells) {
    const transaction = loadInCell(Transaction, cell);
    found.transactions.push(cell.hash());
    found.fees += transaction.totalFees.coins;
    const { in: inMessage, out } = transaction.messages;
    if (inMessage !== undefined) {
      found.messages.push(inMessage.cell.hash());
      found.bodyBits += inMessage.body.bitLength;
    }
    out.forEach((message) => {
      found.messages.push(message.cell.hash());
      found.bodyBits += message.body.bitLength;
    });
  }
  return found;
}

/** Values of an augmented dictionary: the extra comes first. */
function augmented<T>(parse: (slice: Slice) => T): DictionaryValue<T> {
  return {
    parse: (slice) => {
      loadCurrencyCollection(slice);
      return parse(slice);
    },
    serialize: () => {
      throw new Error("only read");
    },
  };
}

const transactionValue = augmented((slice) => loadTransaction(slice.loadRef().beginParse()));
const accountBlockValue = augmented((slice) => {
  slice.skip(4 + 256);
  return Dictionary.loadDirect(Dictionary.Keys.BigUint(64), transactionValue, slice);
});

function decodeByCore(bytes: Buffer): Found {
  const found: Found = { transactions: [], messages: [], bodyBits: 0, fees: 0n };
  const [root] = CoreCell.fromBoc(bytes);
  const blocks = root?.refs[3]?.refs[2]?.beginParse().loadDict(Dictionary.Keys.Buffer(32), accountBlockValue);
  for (const transactions of blocks?.values() ?? []) {
    for (const transaction of transactions.values()) {
      found.transactions.push(transaction.hash().toString("hex"));
      found.fees += transaction.totalFees.coins;
      // Its messages keep no cell, so their hashes come from the transaction's own cells.
      const cells = (transaction.raw.refs[0] as CoreCell).beginParse();
      const inCell = cells.loadMaybeRef();
      if (inCell !== null) found.messages.push(inCell.hash().toString("hex"));
      found.bodyBits += transaction.inMessage?.body.bits.length ?? 0;
      for (const cell of cells.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values())
        found.messages.push(cell.hash().toString("hex"));
      for (const message of transaction.outMessages.values()) found.bodyBits += message.body.bits.length;
    }
  }
  return found;
}
