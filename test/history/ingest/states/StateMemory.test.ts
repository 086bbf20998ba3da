import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { type CachedTree, StateMemory } from "../../../../src/history/ingest/states/StateMemory.ts";
import { makeAddress } from "../../../../src/model/Address.ts";

const account = (digit: string) => makeAddress(0, digit.repeat(64));
const tree = (size: number) => ({ hash: beginCell().cell().hash(), boc: new Uint8Array(size) });

describe("the memory of states", () => {
  it("drops the least recently used when it is full", () => {
    const memory = new StateMemory({ stateBytes: 4_000 });
    memory.keepTrees(account("1"), [tree(1_000)]);
    memory.keepTrees(account("2"), [tree(1_000)]);
    memory.findTrees(account("1"));
    memory.keepTrees(account("3"), [tree(1_000)]);
    expect(["1", "2", "3"].map((digit) => memory.findTrees(account(digit)) !== undefined)).toEqual([true, false, true]);
  });

  it("keeps codes in separate bags", () => {
    const memory = new StateMemory();
    const code = beginCell().storeUint(1, 8).storeRef(beginCell().storeUint(2, 8).cell()).cell();
    const kept = memory.keepCode(code);
    expect(kept.code).toBe(memory.findCode(code.hash()));
    expect(kept.code.bytes.length).toBe(kept.boc.length);
    expect(kept.code.hash()).toBe(code.hash());
  });

  it("keeps large trees as cells, so that an unchanged one is read and hashed once", () => {
    let large = beginCell().storeUint(0, 32).cell();
    for (let i = 0; i < 40; i++) large = beginCell().storeBytes(new Uint8Array(100).fill(i)).storeRef(large).cell();
    const small = beginCell().storeUint(1, 8).cell();
    const keep = (root: Cell): CachedTree => ({ hash: root.hash(), boc: writeBoc(root) });
    const [keptLarge, keptSmall] = [keep(large), keep(small)];
    const memory = new StateMemory();
    expect(memory.openTree(keptLarge).hash()).toBe(large.hash());
    expect(memory.openTree(keptLarge)).toBe(memory.openTree(keptLarge));
    expect(memory.openTree(keptSmall)).not.toBe(memory.openTree(keptSmall));
    const bounded = new StateMemory({ treeBytes: 1_000 });
    expect(bounded.openTree(keptLarge)).not.toBe(bounded.openTree(keptLarge));
  });

  it("forgets the cells of a tree that its account no longer has", () => {
    const data = (fill: number): Cell => beginCell().storeBytes(new Uint8Array(100).fill(fill)).cell();
    const keep = (...fills: number[]): CachedTree => {
      const root = fills.reduce((below, fill) => beginCell().storeRef(below).storeRef(data(fill)).cell(), data(0));
      return { hash: root.hash(), boc: writeBoc(root) };
    };
    const [before, after, unchanged] = [keep(1, 2, 3), keep(4, 5, 6), keep(7, 8, 9)];
    const memory = new StateMemory();
    memory.keepTrees(account("1"), [before, unchanged]);
    const opened = [memory.openTree(before), memory.openTree(unchanged)];
    memory.keepTrees(account("1"), [after, unchanged]);
    expect(memory.openTree(unchanged)).toBe(opened[1]);
    expect(memory.openTree(before)).not.toBe(opened[0]);
  });

  it("is empty after it was cleared", () => {
    const memory = new StateMemory();
    memory.keepTrees(account("1"), []);
    const { code } = memory.keepCode(beginCell().cell());
    memory.clear();
    expect([memory.findTrees(account("1")), memory.findCode(code.hash())]).toEqual([undefined, undefined]);
  });
});
