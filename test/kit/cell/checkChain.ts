import { expect } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { blockForm, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { applyMerkleUpdate, openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { type ChainRecord, type RecordedBlock, sha256 } from "./chainRecord.ts";

// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState) …
const updateRef = 2;

/** Checks that every block has the recorded hashes and encodes to the same bytes. */
export function checkBlocks(record: ChainRecord): void {
  for (const block of record.blocks) {
    const bytes = record.blockBytes(block);
    const root = readRoot(bytes);
    expect([sha256(bytes), root.hash()], placeOf(block)).toEqual([block.file_hash, block.root_hash]);
    expect(writeBoc(root, blockForm).equals(bytes), placeOf(block)).toBe(true);
  }
}

export function checkZerostates(record: ChainRecord): void {
  for (const state of record.zerostates) {
    const bytes = record.stateBytes(state);
    const root = readRoot(bytes);
    expect([sha256(bytes), root.hash()]).toEqual([state.file_hash, state.root_hash]);
    expect(writeBoc(root, blockForm).equals(bytes)).toBe(true);
  }
}

/** Applies every update to the state before it, which must have the hash that the update names; returns all states. */
export function followChain(record: ChainRecord): Map<string, Cell> {
  const states = new Map<string, Cell>();
  for (const state of record.zerostates)
    states.set(stateKey(state.workchain, state.shard, 0), readRoot(record.stateBytes(state)));
  for (const block of record.blocks) {
    const update = readRoot(record.blockBytes(block)).ref(updateRef);
    const after = applyMerkleUpdate(stateBefore(states, block), update);
    expect([after.hash(), after.level], placeOf(block)).toEqual([openMerkleUpdate(update).to.hash(0), 0]);
    states.set(stateKey(block.workchain, block.shard, block.seqno), after);
  }
  return states;
}

/** The state before a block; after a merge, both states joined. */
// split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState;
function stateBefore(states: ReadonlyMap<string, Cell>, block: RecordedBlock): Cell {
  const [left, right] = block.prev.map(([shard, seqno]) => states.get(stateKey(block.workchain, shard, seqno)));
  if (left === undefined) throw new Error(`no state before ${placeOf(block)}`);
  if (right === undefined) return left;
  return beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).cell();
}

function stateKey(workchain: number, shard: string, seqno: number): string {
  return `${workchain} ${shard} ${seqno}`;
}

function placeOf({ workchain, shard, seqno }: RecordedBlock): string {
  return `block ${workchain},${shard},${seqno}`;
}
