import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { systemFiles } from "../../../src/lib/files/FileSystem.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { makeNetwork } from "../../../src/localnet/genesis/makeNetwork.ts";
import { StateStore } from "../../../src/localnet/store/StateStore.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { McStateExtra } from "../../../src/model/block/McStateExtra.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { recordLog } from "../../kit/localnet/localChain.ts";
import { testKeys } from "../../kit/localnet/testKeys.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

let zero: Cell;
let folder: string;
beforeAll(async () => {
  const options = { globalId: -777, bornAt: 1_700_000_000, splitDepth: 0, globalVersion: 12 };
  const found = makeNetwork(await testKeys(), options).find(({ id }) => id.workchain === masterchain);
  if (found === undefined) throw new Error("no masterchain");
  zero = found.root;
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-states-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const hashOf = (seqno: number) => seqno.toString(16).padStart(64, "0") as Hash;
const idOf = (seqno: number) => {
  const hash = hashOf(seqno);
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash: hash, fileHash: hash };
};

/** A masterchain state with so many old blocks, made from one with fewer of them. */
function grow(state: Cell, from: number, to: number): Cell {
  const before = loadCell(ShardStateUnsplit, state);
  const extra = before.custom?.load();
  if (extra === undefined) throw new Error("no masterchain state");
  let { prevBlocks } = extra.history;
  for (let seqno = from; seqno < to; seqno++) {
    const endLt = BigInt(seqno) * 1_000_000n;
    const block = { endLt, seqno, rootHash: hashOf(seqno), fileHash: hashOf(seqno) };
    prevBlocks = prevBlocks.set(seqno, { key: false, block }, { key: false, maxEndLt: endLt });
  }
  const custom = makeLinked(McStateExtra, { ...extra, history: { ...extra.history, prevBlocks } });
  return storeCell(ShardStateUnsplit, { ...before, custom });
}

function open(log = recordLog()): StateStore {
  return new StateStore(folder, systemFiles, log);
}

/** Stores a state and returns its copy. */
function put(store: StateStore, seqno: number, state: Cell): Cell {
  const [copy] = runAtOnce(store.put(seqno, [{ id: idOf(seqno), state }]));
  if (copy === undefined) throw new Error("no copy");
  return copy.state;
}

function listFiles(end: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(end));
}

it("a stored state is the same state: its copy, and what the next start reads", () => {
  const state = grow(zero, 0, 2_700);
  const bytes = writeBoc(state);
  expect(writeBoc(put(open(), 2_700, state))).toEqual(bytes);
  const found = open().findState(idOf(2_700));
  expect(found?.hash()).toBe(state.hash());
  expect(found && writeBoc(found)).toEqual(bytes);
});

it("old blocks are written once: the files of later states do not have them", () => {
  const store = open();
  let state = zero;
  for (let seqno = 0; seqno < 5_000; seqno += 250) {
    state = put(store, seqno + 250, grow(state, seqno, seqno + 250));
    expect(state.hash()).toHaveLength(64);
  }
  expect(state.hash()).toBe(grow(zero, 0, 5_000).hash());
  expect(listFiles(".tree")).toHaveLength(9);
  const [first, last] = [250, 5_000].map((seqno) => statSync(join(folder, `${seqno}.states`)).size);
  // At most one tree that is not full yet, and a branch in place of each full one.
  expect(last).toBeLessThan((first ?? 0) + 512 * 150);
});

it("a state goes on from its copy as from itself, and old blocks are found in it", () => {
  const copy = put(open(), 2_000, grow(zero, 0, 2_000));
  const after = grow(copy, 2_000, 2_100);
  expect(after.hash()).toBe(grow(zero, 0, 2_100).hash());
  const old = loadCell(ShardStateUnsplit, after).custom?.load().history.prevBlocks.find(17);
  expect(old?.block).toEqual({ endLt: 17_000_000n, seqno: 17, rootHash: hashOf(17), fileHash: hashOf(17) });
});

it("a state whose old blocks are damaged or missing is not there, and is stored whole the next time", () => {
  const state = grow(zero, 0, 2_000);
  put(open(), 2_000, state);
  const [damaged = "", missing = ""] = listFiles(".tree");
  truncateSync(join(folder, damaged), 1_000);
  const log = recordLog();
  expect(open(log).findState(idOf(2_000))).toBeUndefined();
  expect(log.lines).toEqual(["states put by cannot be read and are made again"]);
  rmSync(join(folder, missing));
  expect(open().findState(idOf(2_000))).toBeUndefined();
  put(open(), 2_000, state);
  expect(open().findState(idOf(2_000))?.hash()).toBe(state.hash());
});

it("a tree that is damaged while it is used is a failure of storage", () => {
  const store = open();
  const copy = put(store, 2_000, grow(zero, 0, 2_000));
  for (const name of listFiles(".tree")) truncateSync(join(folder, name), 1_000);
  expect(refusalCode(() => loadCell(ShardStateUnsplit, copy).custom?.load().history.prevBlocks.find(17))).toBe(
    "lib/storage",
  );
});
