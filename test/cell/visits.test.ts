import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import { CellKind } from "../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { makeProofCell, makePruned } from "../../src/cell/exotic.ts";
import { openMerkleProof } from "../../src/cell/merkle/merkleProof.ts";
import { rawSliceOf, sliceOf } from "../../src/cell/Slice.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { listCells } from "../kit/cell/bags.ts";
import { describeCell } from "../kit/cell/coreCells.ts";

describe("a tracked cell", () => {
  it("equals its original at every level", () => {
    const tree = cellOf("1", [chainOf(3), cellOf("0", [makePruned(makePruned(chainOf(4), 1), 2)])]);
    const root = makeProofCell(tree);
    for (const original of [root, readRoot(writeBoc(root))]) {
      const visits = watchVisits(original);
      const cells = listCells([visits.root]);
      expect(cells.map(describeCell)).toEqual(listCells([original]).map(describeCell));
      expect(visits.root.equals(original)).toBe(true);
      expect(writeBoc(visits.root).equals(writeBoc(original))).toBe(true);
    }
  });

  it("counts as opened only when a slice of it is made", () => {
    const leaf = cellOf("1");
    const tree = cellOf("0", [cellOf("00", [leaf]), cellOf("01")]);
    const { root, opened } = watchVisits(tree);
    root.ref(0).hash();
    expect([...opened]).toEqual([]);
    const slice = sliceOf(root);
    expect(slice.loadRef().bitLength).toBe(2);
    expect([...opened]).toEqual([tree]);
    rawSliceOf(root.ref(0).ref(0));
    expect([...opened]).toEqual([tree, leaf]);
    slice.clone();
    expect(opened.size).toBe(2);
  });

  it("is one object however it is reached", () => {
    const shared = cellOf("1");
    const { root } = watchVisits(cellOf("0", [shared, cellOf("00", [shared])]));
    expect(root.ref(0)).toBe(root.ref(1).ref(0));
  });
});

/** Opens cells from the root along the path. */
function read(cell: Cell, way: readonly number[]): void {
  let here = cell;
  for (const step of way) {
    const slice = sliceOf(here);
    if (slice.remainingRefs === 0) return;
    here = slice.preloadRef(step % slice.remainingRefs);
  }
  sliceOf(here);
}

describe("a proof of the read cells", () => {
  const anyWays = fc.array(fc.array(fc.nat(3), { maxLength: 12 }), { maxLength: 6 });

  it("allows the same reads again, and has nothing else but cells without references", () => {
    fc.assert(
      fc.property(anyTree(), anyWays, (tree, ways) => {
        const { root, opened } = watchVisits(tree);
        sliceOf(root);
        for (const way of ways) read(root, way);
        const body = openMerkleProof(readRoot(writeBoc(makeMerkleProof(tree, opened))), tree.hash());
        for (const way of ways) read(body, way);
        const wanted = new Set([...opened].map((cell) => cell.hash()));
        for (const cell of listCells([body]))
          if (cell.kind === CellKind.ordinary && cell.refCount > 0) expect(wanted).toContain(cell.hash(0));
      }),
      { numRuns: 300 },
    );
  });
});
