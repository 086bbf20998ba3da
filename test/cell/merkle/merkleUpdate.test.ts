import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../../kit/cell/anyCell.ts";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { uint32 } from "../../../src/cell/codec.ts";
import { Dictionary, makeDictionary } from "../../../src/cell/dictionary.ts";
import { makeProofCell, makePruned, makeUpdateCell, rebuildCell } from "../../../src/cell/exotic.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import {
  applyMerkleUpdate,
  makeMerkleUpdate,
  openMerkleUpdate,
  restore,
} from "../../../src/cell/merkle/merkleUpdate.ts";
import { watchVisits } from "../../../src/cell/visits.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { listCells } from "../../kit/cell/bags.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

/** Through bytes, so that nothing of the original trees is left. */
function sent(update: Cell): Cell {
  return readRoot(writeBoc(update));
}

describe("a Merkle update", () => {
  it("leads from any tree to any other that shares cells with it", () => {
    const anyChange = fc.tuple(anyTree(), fc.array(fc.nat(100), { maxLength: 5 }));
    fc.assert(
      fc.property(anyChange, ([from, picks]) => {
        const cells = listCells([from]);
        let to = cellOf("1");
        for (const pick of picks) to = cellOf("10", [to, cells[pick % cells.length] as Cell]);
        const update = sent(runAtOnce(makeMerkleUpdate(from, to)));
        expect(update.level).toBe(0);
        expect(applyMerkleUpdate(from, update).hash()).toBe(to.hash());
      }),
      { numRuns: 300 },
    );
  });

  const key = uintKey(32);
  const before = makeDictionary(
    key,
    uint32,
    Array.from({ length: 500 }, (_, i) => [i * 7919, i] as [number, number]),
  );
  const from = before.root as Cell;

  /** The same edit on the tree or on a tracked copy. */
  function edit(root: Cell): Cell {
    const dictionary = new Dictionary(root, key, uint32);
    return dictionary
      .set(7919 * 33, 5)
      .delete(7919 * 77)
      .set(4, 4).root as Cell;
  }

  it("is small and leads to the new tree", () => {
    const update = runAtOnce(makeMerkleUpdate(from, edit(from)));
    expect(applyMerkleUpdate(from, sent(update)).hash()).toBe(edit(from).hash());
    expect(listCells([update]).length).toBeLessThan(120);
  });

  it("keeps cells open that are read together with their parent, and only there", () => {
    const cell = cellOf("1", [emptyCell]);
    const used = cellOf("0", [chainOf(3)]);
    const old = cellOf("11", [cellOf("01", [cell, used]), cellOf("10", [cell])]);
    const next = cellOf("00", [cellOf("00", [used])]);
    const update = runAtOnce(makeMerkleUpdate(old, next, new Set([cell.hash()])));
    const [open, closed] = openMerkleUpdate(update).from.refs();
    expect(open?.refs().map(({ kind }) => kind)).toEqual([CellKind.ordinary, CellKind.pruned]);
    expect(closed?.kind).toBe(CellKind.pruned);
    expect(applyMerkleUpdate(old, sent(update)).hash()).toBe(next.hash());
  });

  it("fits only the tree it starts from", () => {
    const update = runAtOnce(makeMerkleUpdate(from, edit(from)));
    expect(refusalCode(() => applyMerkleUpdate(edit(from), update))).toBe("cell/update");
    expect(refusalCode(() => applyMerkleUpdate(emptyCell, update))).toBe("cell/update");
  });

  it("turns a proof of the old tree into a proof of the new tree", () => {
    const { root, opened } = watchVisits(from);
    const update = runAtOnce(makeMerkleUpdate(from, edit(root)));
    const proved = makeMerkleProof(from, opened).ref(0);
    const after = applyMerkleUpdate(proved, update);
    expect([after.hash(0), after.level]).toEqual([edit(from).hash(), 1]);
  });

  it("reuses a cell that is only below another reused one", () => {
    const inner = cellOf("1", [emptyCell]);
    const outer = cellOf("0", [inner]);
    const old = cellOf("11", [outer]);
    const next = cellOf("00", [outer, inner]);
    const update = sent(runAtOnce(makeMerkleUpdate(old, next)));
    expect(applyMerkleUpdate(old, update).hash()).toBe(next.hash());
  });

  it("of a tree to itself prunes everything but the root", () => {
    const update = runAtOnce(makeMerkleUpdate(from, from));
    const { from: old, to } = openMerkleUpdate(update);
    for (const half of [old, to]) expect(half.refs().every((cell) => cell.kind === CellKind.pruned)).toBe(true);
    expect(applyMerkleUpdate(from, update).hash()).toBe(from.hash());
  });

  it("carries whole Merkle cells of the trees and does not change what they prune", () => {
    const pruned = makePruned(chainOf(3), 1);
    const proof = makeProofCell(cellOf("1", [pruned, chainOf(5)]));
    const old = cellOf("0", [chainOf(5), proof]);
    for (const next of [
      cellOf("1", [proof, chainOf(5)]),
      cellOf("1", [makeProofCell(cellOf("01", [pruned, chainOf(5)]))]),
    ]) {
      const update = sent(runAtOnce(makeMerkleUpdate(old, next)));
      expect(applyMerkleUpdate(old, update).hash()).toBe(next.hash());
    }
  });

  it("fills in cells pruned inside Merkle cells of the tree, and keeps what they prune themselves", () => {
    const cell = chainOf(5);
    const inside = cellOf("1", [makePruned(chainOf(3), 1), cell]);
    const old = cellOf("0", [makeProofCell(inside)]);
    const next = cellOf("1", [makeProofCell(inside)]);
    // Another implementation may prune inside the inner proof, at level 2.
    const thin = rebuildCell(makeProofCell(inside), [cellOf("1", [makePruned(chainOf(3), 1), makePruned(cell, 2)])]);
    const update = sent(makeUpdateCell(cellOf("0", [thin]), cellOf("1", [thin])));
    expect(applyMerkleUpdate(old, update).hash()).toBe(next.hash());
  });

  it("works for trees of any depth", () => {
    const deep = chainOf(1020);
    const next = cellOf("1", [deep, emptyCell]);
    expect(applyMerkleUpdate(deep, runAtOnce(makeMerkleUpdate(deep, next))).hash()).toBe(next.hash());
    expect(applyMerkleUpdate(next, runAtOnce(makeMerkleUpdate(next, deep))).hash()).toBe(deep.hash());
  });
});

describe("a Merkle update is refused", () => {
  const tree = cellOf("1", [chainOf(3)]);

  it("if it is another cell", () => {
    expect(refusalCode(() => openMerkleUpdate(tree))).toBe("cell/update");
    expect(refusalCode(() => applyMerkleUpdate(tree, makeProofCell(tree)))).toBe("cell/update");
  });

  it("if its hashes are wrong", () => {
    const forgery = rebuildCell(makeUpdateCell(tree, chainOf(2)), [tree, chainOf(4)]);
    expect(refusalCode(() => openMerkleUpdate(forgery))).toBe("cell/proof");
    expect(refusalCode(() => applyMerkleUpdate(tree, forgery))).toBe("cell/proof");
  });

  it("if the old tree lacks a cell, with its hash", () => {
    const missing = chainOf(9);
    const update = makeUpdateCell(tree, cellOf("1", [makePruned(missing, 1)]));
    expect(() => applyMerkleUpdate(tree, update)).toThrow(
      expect.objectContaining({ code: "cell/update", data: { hash: missing.hash() } }),
    );
  });
});

describe("restoring a pruned tree", () => {
  it("requests every missing cell by its hash and nothing else", () => {
    const tree = cellOf("1", [chainOf(3), chainOf(4), emptyCell]);
    const half = makeMerkleProof(tree, new Set()).ref(0);
    const asked: string[] = [];
    const whole = restore(half, (hash) => {
      asked.push(hash);
      return tree.refs().find((cell) => cell.hash() === hash);
    });
    expect(whole.hash()).toBe(tree.hash());
    expect(asked).toEqual([chainOf(3).hash(), chainOf(4).hash()]);
  });
});
