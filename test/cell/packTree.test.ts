import { expect, it } from "vitest";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { packTree } from "../../src/cell/packTree.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

function packedOf(tree: Cell) {
  const bytes = writeBoc(tree);
  let opened = 0;
  const packed = packTree(tree, () => {
    opened++;
    return readRoot(bytes);
  });
  return { packed, opened: () => opened };
}

it("a packed tree has the hash, the depth and the data of its root without being opened", () => {
  const tree = cellOf("10110", [chainOf(5), cellOf("01")]);
  const { packed, opened } = packedOf(tree);
  const above = cellOf("1", [packed]);
  expect(packed.hash()).toBe(tree.hash());
  expect(packed.depth()).toBe(tree.depth());
  expect(above.hash()).toBe(cellOf("1", [tree]).hash());
  expect([packed.bitLength, packed.refCount, packed.kind]).toEqual([tree.bitLength, tree.refCount, tree.kind]);
  expect(opened()).toBe(0);
});

it("a packed tree is opened by its first child that is read, and is the same tree", () => {
  const tree = cellOf("10110", [chainOf(5), cellOf("01")]);
  const { packed, opened } = packedOf(tree);
  expect(writeBoc(packed)).toEqual(writeBoc(tree));
  expect(opened()).toBe(1);
});

it("a cell of an opened tree is one object while somebody holds a cell of it", () => {
  const { packed, opened } = packedOf(cellOf("1", [chainOf(5)]));
  const visits = watchVisits(packed);
  const child = visits.root.ref(0);
  expect(visits.root.ref(0)).toBe(child);
  const held = packed.ref(0);
  expect(packed.ref(0)).toBe(held);
  expect(opened()).toBe(1);
});

it("refuses a tree with pruned branches", () => {
  const tree = cellOf("1", [makePruned(chainOf(3), 1)]);
  expect(refusalCode(() => packTree(tree, () => tree))).toBe("cell/level");
});
