import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, bytesOf, cellOf, chainOf, textOf } from "../../kit/cell/anyCell.ts";
import { emptyCell } from "../../src/cell/Builder.ts";
import { CellKind } from "../../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import { type Cell, makeCell } from "../../src/cell/Cell.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { describeCell, describeCoreCell, pairCells, readCore } from "../kit/cell/coreCells.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** The hash of an ordinary cell by the definition of the format, computed through text. */
function modelHash(bits: string, refs: readonly Cell[]): string {
  const d2 = (bits.length >> 3) + ((bits.length + 7) >> 3);
  const data = bits.length % 8 === 0 ? bytesOf(bits) : bytesOf(`${bits}1`);
  const hash = createHash("sha256").update(Uint8Array.of(refs.length, d2)).update(data);
  for (const ref of refs) hash.update(Uint8Array.of(ref.depth() >> 8, ref.depth() & 0xff));
  for (const ref of refs) hash.update(Buffer.from(ref.hash(), "hex"));
  return hash.digest("hex");
}

describe("the hash of a cell", () => {
  const bits = textOf(seededRandom("bits").bytes(128)).slice(0, 1023);

  it.each([0, 1, 2, 3, 4])("with %i references is right for every data length, built and read", (count) => {
    const refs = Array.from({ length: count }, (_, i) => chainOf(i * 7));
    for (let length = 0; length <= 1023; length++) {
      const built = cellOf(bits.slice(0, length), refs);
      const expected = modelHash(bits.slice(0, length), refs);
      expect(built.hash()).toBe(expected);
      expect(readRoot(writeBoc(built)).hash()).toBe(expected);
    }
  });

  it("is the known one for the empty cell", () => {
    expect(emptyCell.hash()).toBe("96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7");
  });

  it("does not depend on bits after its data", () => {
    const dirty = makeCell(Uint8Array.of(0xff, 0xff), 9, [], CellKind.ordinary);
    expect(dirty.hash()).toBe(cellOf("111111111").hash());
    expect(readRoot(writeBoc(dirty)).hash()).toBe(dirty.hash());
  });

  it("equals that of @ton/core, with all depths, for every cell of any tree", () => {
    fc.assert(
      fc.property(anyTree(), (tree) => {
        const bytes = writeBoc(tree);
        const read = readRoot(bytes);
        for (const [ours, theirs] of pairCells([tree], readCore(bytes)))
          expect(describeCell(ours)).toEqual(describeCoreCell(theirs));
        expect(describeCell(read)).toEqual(describeCell(tree));
      }),
      { numRuns: 150 },
    );
  });

  it("is computed once for cells shared a million times", () => {
    let cell = emptyCell;
    for (let i = 0; i < 500; i++) cell = cellOf("1", [cell, cell, cell, cell]);
    expect(readRoot(writeBoc(cell)).hash()).toBe(cell.hash());
  });
});

describe("a cell", () => {
  it("may have a depth of 1024 and no more", () => {
    const deepest = chainOf(1024);
    expect(deepest.depth()).toBe(1024);
    expect(readRoot(writeBoc(deepest)).hash()).toBe(deepest.hash());
    expect(refusalCode(() => cellOf("", [deepest]))).toBe("cell/depth");
  });

  it("has at most four references", () => {
    expect(refusalCode(() => makeCell(new Uint8Array(), 0, Array(5).fill(emptyCell), CellKind.ordinary))).toBe(
      "cell/overflow",
    );
  });

  it.each([-1, 2, 3])("rejects access to reference %i of two", (index) => {
    const built = cellOf("", [emptyCell, emptyCell]);
    expect(refusalCode(() => built.ref(index))).toBe("cell/underflow");
    expect(refusalCode(() => readRoot(writeBoc(built)).ref(index))).toBe("cell/underflow");
  });

  it("equals another one with the same content, whatever its origin", () => {
    const a = cellOf("101", [cellOf("0"), cellOf("1")]);
    expect(a.equals(readRoot(writeBoc(a)))).toBe(true);
    expect(a.equals(a)).toBe(true);
    for (const other of [cellOf("101"), cellOf("100", a.refs()), cellOf("101", [cellOf("1"), cellOf("0")])])
      expect(a.equals(other)).toBe(false);
  });

  it("is one object however it is reached in its bag", () => {
    const shared = cellOf("1");
    const root = readRoot(writeBoc(cellOf("0", [shared, cellOf("10", [shared])])));
    expect(root.ref(0)).toBe(root.ref(1).ref(0));
  });
});
