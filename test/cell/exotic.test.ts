import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { emptyCell } from "../../src/cell/Builder.ts";
import { CellKind } from "../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import {
  libraryHash,
  makeLibrary,
  makeProofCell,
  makePruned,
  makeUpdateCell,
  rebuildCell,
} from "../../src/cell/exotic.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { listCells } from "../kit/cell/bags.ts";
import { describeCell, describeCoreCell, pairCells, readCore } from "../kit/cell/coreCells.ts";
import { Model } from "../kit/cell/modelCell.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** Checks all cells, as built and as read from a bag, against a slow model. */
function checkAll(root: Cell): void {
  const bytes = writeBoc(root, { index: true, innerHashes: true, topHashes: true });
  for (const tree of [root, readRoot(bytes)]) {
    const model = new Model();
    for (const cell of listCells([tree])) {
      expect({ mask: cell.levelMask, at: levels.map((level) => [cell.hash(level), cell.depth(level)]) }).toEqual(
        model.of(cell),
      );
    }
  }
  checkAgainstCore(root, bytes);
}

/** `@ton/core` reads pruned branches only with contiguous levels: masks 1, 3 and 7. */
function checkAgainstCore(root: Cell, bytes: Buffer): void {
  if (listCells([root]).some(({ levelMask }) => ![0, 1, 3, 7].includes(levelMask))) return;
  for (const [ours, core] of pairCells([root], readCore(bytes)))
    expect(describeCell(ours)).toEqual(describeCoreCell(core));
}

const levels = [0, 1, 2, 3];

describe("a pruned branch", () => {
  const tree = chainOf(7);

  it("has the hash and depth of the pruned cell at the levels below its own", () => {
    for (const level of [1, 2, 3]) {
      const pruned = makePruned(tree, level);
      const below = levels.filter((l) => l < level);
      expect(below.map((l) => [pruned.hash(l), pruned.depth(l)])).toEqual(
        below.map((l) => [tree.hash(l), tree.depth(l)]),
      );
      expect([pruned.level, pruned.levelMask, pruned.depth(level)]).toEqual([level, 1 << (level - 1), 0]);
      expect(pruned.hash(level)).not.toBe(tree.hash());
      checkAll(cellOf("1", [pruned]));
    }
  });

  it("of a tree with pruned branches keeps the hashes of all levels below", () => {
    const one = cellOf("1", [makePruned(tree, 1), chainOf(3)]);
    const two = cellOf("0", [makePruned(one, 2), makePruned(chainOf(2), 2)]);
    const three = makePruned(two, 3);
    expect([one.levelMask, two.levelMask, three.levelMask]).toEqual([1, 3, 7]);
    expect([0, 1, 2].map((l) => [three.hash(l), three.depth(l)])).toEqual(
      [0, 1, 2].map((l) => [two.hash(l), two.depth(l)]),
    );
    expect(three.bitLength).toBe(16 + 3 * 272);
    checkAll(cellOf("1", [three, two, one]));
  });

  it("may replace a branch of its own level, which it hides", () => {
    const pruned = makePruned(tree, 1);
    const again = makePruned(cellOf("1", [pruned]), 1);
    expect([again.level, again.hash(0)]).toEqual([1, cellOf("1", [tree]).hash()]);
  });

  it("cannot have level 0 or 4, or replace a branch of a higher level", () => {
    for (const level of [0, 4]) expect(refusalCode(() => makePruned(tree, level))).toBe("cell/level");
    expect(refusalCode(() => makePruned(makePruned(tree, 2), 1))).toBe("cell/level");
    expect(refusalCode(() => makePruned(makePruned(tree, 3), 2))).toBe("cell/level");
  });
});

describe("a library cell", () => {
  it("has a hash and level 0", () => {
    const hash = "ab".repeat(32) as Hash;
    const library = makeLibrary(hash);
    checkAll(library);
    expect([library.kind, library.level, libraryHash(library), libraryHash(readRoot(writeBoc(library)))]).toEqual([
      CellKind.library,
      0,
      hash,
      hash,
    ]);
    expect(refusalCode(() => libraryHash(emptyCell))).toBe("cell/exotic");
  });
});

describe("Merkle cells", () => {
  const tree = cellOf("1", [chainOf(4), cellOf("0", [chainOf(2)])]);
  const body = cellOf("1", [makePruned(tree.ref(0), 1), tree.ref(1)]);

  it("have the hash and depth of their content, at level 0", () => {
    const proof = makeProofCell(body);
    expect([proof.level, proof.depth(), body.hash(0)]).toEqual([0, 5, tree.hash()]);
    checkAll(proof);
    checkAll(makeUpdateCell(body, tree));
  });

  it("lower the level of their content by one, also nested", () => {
    const deep = cellOf("1", [makePruned(tree, 1), makePruned(tree, 2), makePruned(tree, 3)]);
    const proof = makeProofCell(deep);
    const update = makeUpdateCell(proof, cellOf("0", [deep]));
    expect([deep.levelMask, proof.levelMask, update.levelMask]).toEqual([7, 3, 3]);
    checkAll(cellOf("1", [update, proof, makeProofCell(update), makeProofCell(makeProofCell(proof))]));
  });

  it("with a wrong hash are rejected whenever their hash is requested", () => {
    const forgery = rebuildCell(makeProofCell(body), [cellOf("1")]);
    const wrongDepth = rebuildCell(makeProofCell(body), [makePruned(cellOf("1", [body]), 1)]);
    for (const wrong of [forgery, wrongDepth, cellOf("1", [forgery])])
      for (let i = 0; i < 2; i++) expect(refusalCode(() => wrong.hash())).toBe("cell/proof");
  });

  it("with a wrong hash from a bag are rejected at every request", () => {
    for (const made of [makeProofCell(body), makeUpdateCell(body, tree)]) {
      const bytes = writeBoc(made);
      const at = bytes.indexOf(Buffer.from(made.ref(made.refCount - 1).hash(0), "hex"));
      bytes[at] = (bytes[at] as number) ^ 1;
      const read = readRoot(bytes);
      for (let i = 0; i < 3; i++) expect(refusalCode(() => read.hash())).toBe("cell/proof");
      for (let i = 0; i < 3; i++) expect(refusalCode(() => read.hash(0))).toBe("cell/proof");
    }
  });
});

/** Random trees with pruned cells, proofs and updates. */
function anyExotic(): fc.Arbitrary<Cell> {
  const step = fc.record({
    how: fc.constantFrom("join", "prune", "proof", "update", "library"),
    bits: fc.constantFrom("", "1", "0101"),
    level: fc.integer({ min: 1, max: 3 }),
    refs: fc.array(fc.nat(50), { minLength: 2, maxLength: 4 }),
  });
  return fc.tuple(anyTree(6), fc.array(step, { maxLength: 25 })).map(([tree, steps]) => {
    const cells = listCells([tree]).reverse();
    for (const { how, bits, level, refs } of steps) {
      const [a, b, ...rest] = refs.map((ref) => cells.at(-1 - (ref % cells.length)) as Cell) as [Cell, Cell];
      if (how === "join") cells.push(cellOf(bits, [a, b, ...rest]));
      else if (how === "prune" && a.level <= level) cells.push(makePruned(a, level));
      else if (how === "proof") cells.push(makeProofCell(a));
      else if (how === "update") cells.push(makeUpdateCell(a, b));
      else if (how === "library") cells.push(makeLibrary(a.hash()));
    }
    return cells.at(-1) as Cell;
  });
}

describe("exotic cells of all kinds", () => {
  it("have the mask, hashes and depths of all levels by the format", () => {
    fc.assert(
      fc.property(anyExotic(), (root) => checkAll(root)),
      { numRuns: repeats({ usual: 80, all: 300 }) },
    );
  });
});
