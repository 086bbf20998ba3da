import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf } from "../../../kit/cell/anyCell.ts";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { type Augmentation, AugmentedDictionary } from "../../../src/cell/augmentedDictionary.ts";
import { rebuild, setEntry } from "../../../src/cell/augmentedEdits.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { uint32 } from "../../../src/cell/codec.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import { applyMerkleUpdate, makeMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { PrunedTree } from "../../../src/cell/merkle/PrunedTree.ts";
import { watchVisits } from "../../../src/cell/visits.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { listCells } from "../../kit/cell/bags.ts";
import { deleteEntry } from "../../kit/cell/deleteEntry.ts";
import { repeats } from "../../kit/suite/everything.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** What a server would send of a tree: the cells that `keeps` selects, through bytes. */
function proofBody(root: Cell, keeps: ReadonlySet<Cell>): Cell {
  return openMerkleProof(readRoot(writeBoc(makeMerkleProof(root, keeps))));
}

const sum: Augmentation<number> = {
  codec: uint32,
  empty: 0,
  combine: (a, b) => a + b,
  exchange: (total, before, after) => total - before + after,
};
const empty = new AugmentedDictionary(undefined, uintKey(12), uint32, sum);
type Tested = typeof empty;

function dictionaryOf(root: Cell | undefined): Tested {
  return new AugmentedDictionary(root, uintKey(12), uint32, sum);
}

/** The proof of one key. */
function proofOf(root: Cell, key: number): Cell {
  const visits = watchVisits(root);
  dictionaryOf(visits.root).find(key);
  return proofBody(root, visits.opened);
}

const anyEntries = fc.uniqueArray(fc.nat(4095), { minLength: 2, maxLength: 60 });
const anyEdits = fc.array(fc.tuple(fc.nat(4095), fc.option(fc.nat(255), { nil: undefined })), { maxLength: 25 });

describe("a pruned tree", () => {
  it("has the hash, the depth and the cells of the whole tree, however its proofs come", () => {
    fc.assert(
      fc.property(anyTree(), fc.array(fc.nat(1_000), { maxLength: 60 }), (root, picks) => {
        const cells = listCells([root]);
        const tree = new PrunedTree();
        const handle = tree.addRoot(proofBody(root, new Set()));
        expect([handle.hash(), handle.depth(), handle.level]).toEqual([root.hash(), root.depth(), 0]);
        for (const pick of picks) tree.add(proofBody(root, new Set(cells.filter((_, i) => (i * 31 + pick) % 3 === 0))));
        for (const cell of cells) if (tree.find(cell.hash()) !== undefined) tree.add(cell);
        expect(listCells([handle]).map((cell) => cell.hash())).toEqual(cells.map((cell) => cell.hash()));
      }),
      { numRuns: repeats({ usual: 60, all: 200 }) },
    );
  });

  it("is edited like the whole dictionary, and updates and proofs made from it hold for that one", () => {
    fc.assert(
      fc.property(anyEntries, anyEdits, (keys, edits) => {
        const full = rebuild(
          empty,
          keys.map((key) => [key, key, key] as const),
        );
        const root = full.root as Cell;
        const tree = new PrunedTree();
        let own = dictionaryOf(tree.addRoot(proofBody(root, new Set())));
        let expected = full;
        for (const [key, value] of edits) {
          tree.add(proofOf(root, key));
          const before = { own, expected };
          expected = value === undefined ? deleteEntry(expected, key) : setEntry(expected, key, value, value);
          own = edited(own, key, value, tree, listCells([root]));
          expect(own.root?.hash()).toBe(expected.root?.hash());
          if (own.root === undefined || before.own.root === undefined || own.root === before.own.root) return;
          const update = readRoot(writeBoc(runAtOnce(makeMerkleUpdate(before.own.root, own.root))));
          expect(applyMerkleUpdate(before.expected.root as Cell, update).hash()).toBe(own.root.hash());
          expect(applyMerkleUpdate(before.own.root, update).hash()).toBe(own.root.hash());
          expect(dictionaryOf(proofOf(own.root, key)).find(key)).toBe(value);
        }
      }),
      { numRuns: repeats({ usual: 60, all: 200 }) },
    );
  });

  /** Deleting a key joins its sibling with the edge above, so that one may have to come first. */
  function edited(
    own: Tested,
    key: number,
    value: number | undefined,
    tree: PrunedTree,
    cells: readonly Cell[],
  ): Tested {
    for (;;) {
      try {
        return value === undefined ? deleteEntry(own, key) : setEntry(own, key, value, value);
      } catch (error) {
        if (!isCoded(error, "cell/pruned")) throw error;
        const { hash } = error.data;
        tree.add(proofBody(cells.find((cell) => cell.hash() === hash) as Cell, new Set()));
      }
    }
  }

  it("refuses to read a cell that has not come, and reads it for all that hold it when it has", () => {
    const leaf = cellOf("1011", [cellOf("111", [cellOf("0")])]);
    const root = cellOf("1", [leaf]);
    const tree = new PrunedTree();
    const handle = tree.addRoot(proofBody(root, new Set()));
    const absent = handle.ref(0);
    const above = cellOf("0", [absent]);
    expect(absent.isAbsent).toBe(true);
    expect(refusalCode(() => watchVisits(above).root.ref(0).ref(0))).toBe("cell/underflow");
    expect(refusalCode(() => writeBoc(above))).toBe("cell/pruned");
    tree.add(leaf);
    expect([above.ref(0), absent.latest(), handle.ref(0)]).toEqual([leaf, leaf, leaf]);
    expect(above.hash()).toBe(cellOf("0", [leaf]).hash());
  });

  it("refuses a cell that is not part of it", () => {
    const tree = new PrunedTree();
    tree.addRoot(proofBody(cellOf("1", [cellOf("0", [cellOf("")])]), new Set()));
    expect(refusalCode(() => tree.add(proofBody(cellOf("10", [cellOf("1", [cellOf("")])]), new Set())))).toBe(
      "cell/proof",
    );
  });
});
