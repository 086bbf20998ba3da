import { expect } from "vitest";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Linked } from "../../../src/cell/linked.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import type { ShardId } from "../../../src/model/block/BlockId.ts";
import { makeShardTree, type ShardDescription, walkShardTree } from "../../../src/model/block/ShardHashes.ts";
import { ShardState } from "../../../src/model/block/ShardState.ts";
import type { ChainRecord, RecordedBlock } from "../cell/chainRecord.ts";
import { addStored, checkStored, type Stored } from "../cell/checkStored.ts";
import { checkRoot } from "./checkProvenBody.ts";
import { loadConfigParam, storeConfigParam } from "./codecs/configParams.ts";
import { recordedBlockJson, recordedTransactionJson } from "./recordJson.ts";

/**
 * Checks every block of a recording: its content, both halves of its state update as far as present, its shard trees.
 */
export function checkBlockParts(record: ChainRecord): Stored {
  const met: Stored = { links: 0, entries: 0, pruned: 0 };
  for (const recorded of record.blocks) addStored(met, checkBlockRoot(readRoot(record.blockBytes(recorded))));
  return met;
}

export function checkBlockRoot(root: Cell): Stored {
  const met = checkRoot(root);
  if (met === undefined) throw new Error("not a block");
  const master = loadCell(Block, root).extra.load().custom?.load();
  master?.shardHashes.forEach((tree) => {
    const tops: { shard: ShardId; description: ShardDescription }[] = [];
    walkShardTree(tree, (shard, description) => void tops.push({ shard, description }));
    expect(makeShardTree(tops).hash()).toBe(tree.hash());
  });
  master?.config?.params.forEach((cell, id) => {
    expect(storeConfigParam(loadConfigParam(id, cell)).hash(), `parameter ${id}`).toBe(cell.hash());
  });
  return met;
}

export function checkStates(record: ChainRecord): Stored {
  const met: Stored = { links: 0, entries: 0, pruned: 0 };
  for (const state of record.zerostates) {
    const root = readRoot(record.stateBytes(state));
    expect(storeCell(ShardState, loadCell(ShardState, root)).hash()).toBe(state.root_hash);
    addStored(met, checkStored(new Linked(root, ShardState)));
  }
  return met;
}

/**
 * Compares each block with the index of the recording, without file positions and commit times, which are not in the
 * block.
 */
export function checkIndexFacts(record: ChainRecord): void {
  for (const recorded of record.blocks) {
    const { container, offset, size, file_hash, mc_seqno, ...facts } = { mc_seqno: 0, ...recorded };
    expect(recordedBlockJson(readRoot(record.blockBytes(recorded)))).toEqual(facts);
  }
}

/** All transactions of a recording in its JSON format, sorted by account and time within each block. */
export function listTransactions(record: ChainRecord): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const block of record.blocks) {
    forEachTransaction(loadCell(Block, readRoot(record.blockBytes(block))), (cell: Cell) => {
      const { workchain } = block;
      found.set(cell.hash(), { ...recordedTransactionJson(cell, workchain), block: placeOf(block) });
    });
  }
  return found;
}

function placeOf({ workchain, shard, seqno }: RecordedBlock): unknown {
  return [workchain, shard, seqno];
}
