import { join } from "node:path";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import { type ChainRecord, readChainRecord } from "../cell/chainRecord.ts";

/** The recorded chains in the repository. */
export const fixtureFolder = join(import.meta.dirname, "../../fixtures/realnet");

/** `chain`: the first blocks of a chain with its zero states; `traffic`: busy, key, split and merge blocks. */
export function readFixtureChain(name: "chain" | "traffic"): ChainRecord {
  return readChainRecord(fixtureFolder, name);
}

export function fixtureBlocks(name: "chain" | "traffic"): Cell[] {
  const record = readFixtureChain(name);
  return record.blocks.map((block) => readRoot(record.blockBytes(block)));
}

export function fixtureTransactions(name: "chain" | "traffic"): Cell[] {
  const cells: Cell[] = [];
  for (const root of fixtureBlocks(name)) forEachTransaction(loadCell(Block, root), (cell) => void cells.push(cell));
  return cells;
}
