import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { systemFiles } from "../../../src/lib/files/FileSystem.ts";
import { StateStore } from "../../../src/localnet/store/StateStore.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { recordLog } from "../../kit/localnet/localChain.ts";
import { masterZeroState, oldBlockId, withOldBlocks } from "../../kit/localnet/oldBlocks.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

let zero: Cell;
let folder: string;
beforeAll(async () => {
  zero = await masterZeroState();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-states-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(log = recordLog()): StateStore {
  return new StateStore(folder, systemFiles, log);
}

/** Stores a state and returns its copy. */
async function put(store: StateStore, seqno: number, state: Cell): Promise<Cell> {
  const [copy] = await store.put(seqno, [{ id: oldBlockId(seqno), state }], () => undefined);
  if (copy === undefined) throw new Error("no copy");
  return copy.state;
}

function listFiles(end: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(end));
}

it("a stored state is the same state: its copy, and what the next start reads", async () => {
  const state = withOldBlocks(zero, 0, 2_700);
  const bytes = writeBoc(state);
  expect(writeBoc(await put(open(), 2_700, state))).toEqual(bytes);
  const cell = open().findState(oldBlockId(2_700));
  expect(cell?.hash()).toBe(state.hash());
  expect(cell && writeBoc(cell)).toEqual(bytes);
});

it("old blocks are written once: the files of later states do not have them", async () => {
  const store = open();
  let state = zero;
  for (let seqno = 0; seqno < 5_000; seqno += 250) {
    state = await put(store, seqno + 250, withOldBlocks(state, seqno, seqno + 250));
    expect(state.hash()).toHaveLength(64);
  }
  expect(state.hash()).toBe(withOldBlocks(zero, 0, 5_000).hash());
  expect(listFiles(".tree")).toHaveLength(9);
  const [first, last] = [250, 5_000].map((seqno) => statSync(join(folder, `${seqno}.states`)).size);
  // At most one tree that is not full yet, and a branch in place of each full one.
  expect(last).toBeLessThan((first ?? 0) + 512 * 150);
});

it("a state goes on from its copy as from itself, and old blocks are found in it", async () => {
  const copy = await put(open(), 2_000, withOldBlocks(zero, 0, 2_000));
  const after = withOldBlocks(copy, 2_000, 2_100);
  expect(after.hash()).toBe(withOldBlocks(zero, 0, 2_100).hash());
  const old = loadCell(ShardStateUnsplit, after).custom?.load().history.prevBlocks.find(17);
  const { rootHash, fileHash } = oldBlockId(17);
  expect(old?.block).toEqual({ endLt: 17_000_000n, seqno: 17, rootHash, fileHash });
});

it("a state whose old blocks are damaged or missing is not there, and is stored whole the next time", async () => {
  const state = withOldBlocks(zero, 0, 2_000);
  await put(open(), 2_000, state);
  const [damaged = "", missing = ""] = listFiles(".tree");
  truncateSync(join(folder, damaged), 1_000);
  const log = recordLog();
  expect(open(log).findState(oldBlockId(2_000))).toBeUndefined();
  expect(log.lines).toEqual(["stored states cannot be read; computing them again"]);
  rmSync(join(folder, missing));
  expect(open().findState(oldBlockId(2_000))).toBeUndefined();
  await put(open(), 2_000, state);
  expect(open().findState(oldBlockId(2_000))?.hash()).toBe(state.hash());
});

it("a tree that is damaged while it is used is a failure of storage", async () => {
  const store = open();
  const copy = await put(store, 2_000, withOldBlocks(zero, 0, 2_000));
  for (const name of listFiles(".tree")) truncateSync(join(folder, name), 1_000);
  expect(refusalCode(() => loadCell(ShardStateUnsplit, copy).custom?.load().history.prevBlocks.find(17))).toBe(
    "lib/storage",
  );
});
