import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { blockForm, readBoc, readRoot, writeBoc } from "../../src/cell/boc.ts";
import { type Cell, hashAll } from "../../src/cell/Cell.ts";
import { makeProofCell, makePruned, makeUpdateCell } from "../../src/cell/exotic.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import { listCells } from "../kit/cell/bags.ts";
import { describeCell, describeCoreCell, pairCells, readCore } from "../kit/cell/coreCells.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const hashes = (cells: readonly Cell[]) => cells.map((cell) => cell.hash());

/** A cell with `count` distinct leaves below it. */
function bushOf(count: number, from = 0): Cell {
  let level = Array.from({ length: count }, (_, i) =>
    cellOf((i + from).toString(2).padStart(1 + ((i * 37) % 600), "0")),
  );
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 3) }, (_, i) => cellOf("", level.slice(i * 3, i * 3 + 3)));
  return level[0] as Cell;
}

describe("hashes computed together", () => {
  it("equal those of @ton/core, for any choice of cells of any tree", () => {
    fc.assert(
      fc.property(anyTree(), fc.infiniteStream(fc.boolean()), (tree, choice) => {
        const bytes = writeBoc(tree);
        const read = readRoot(bytes);
        hashAll(listCells([read]).filter(() => choice.next().value));
        for (const [ours, theirs] of pairCells([read], readCore(bytes)))
          expect(describeCell(ours)).toEqual(describeCoreCell(theirs));
      }),
      { numRuns: repeats({ usual: 80, all: 300 }) },
    );
  });

  it("equal those of built cells, at all levels, also inside Merkle cells", () => {
    const inner = cellOf("1", [makePruned(bushOf(9), 1), bushOf(5), makePruned(makePruned(chainOf(4), 1), 2)]);
    const update = makeUpdateCell(cellOf("0", [inner, bushOf(30)]), cellOf("1", [inner, bushOf(31), chainOf(50)]));
    const built = cellOf("01", [update, makeProofCell(inner), makeProofCell(makeProofCell(inner)), inner]);
    const read = readRoot(writeBoc(built));
    hashAll(listCells([read]));
    // Equal cells that were built separately are one cell in the bag.
    const shown = (root: Cell) => new Set(listCells([root]).map((cell) => JSON.stringify(describeCell(cell))));
    expect(shown(read)).toEqual(shown(built));
  });

  it("are the same at the lowest level whatever level is requested first", () => {
    const inner = (tree: Cell) =>
      cellOf("1", [makePruned(tree, 1), bushOf(5), makePruned(makePruned(chainOf(4), 1), 2)]);
    const around = (tree: Cell) => {
      const update = makeUpdateCell(cellOf("0", [inner(tree), tree]), cellOf("1", [inner(tree), chainOf(9)]));
      return cellOf("01", [makeProofCell(makeProofCell(inner(tree))), inner(tree), update, cellOf("", [update])]);
    };
    fc.assert(
      fc.property(anyTree(10), fc.infiniteStream(fc.nat(5)), (tree, choice) => {
        const bytes = writeBoc(around(tree));
        const cells = listCells([readRoot(bytes)]);
        for (const cell of cells) {
          const level = choice.next().value as number;
          if (level < 4) cell.hash(level);
        }
        expect(cells.map(describeCell)).toEqual(listCells([readRoot(bytes)]).map(describeCell));
        const watched = watchVisits(readRoot(bytes)).root;
        expect(watched.ref(1).hash(0)).toBe(inner(tree).hash(0));
      }),
      { numRuns: repeats({ usual: 60, all: 200 }) },
    );
  });

  it("work for cells from several bags, built cells and tracked cells", () => {
    const [one, two] = [bushOf(40), bushOf(50, 7)];
    const mixed = () => [readRoot(writeBoc(one)), cellOf("1", [readRoot(writeBoc(two))]), watchVisits(bushOf(20)).root];
    const cells = [...mixed(), ...readBoc(writeBoc([two, one, two]))];
    hashAll(cells);
    hashAll(cells);
    expect(hashes(cells)).toEqual([...hashes(mixed()), ...hashes([two, one, two])]);
    hashAll([]);
  });

  it("fail at every request for a wrong stored hash, and only there", () => {
    const tree = cellOf("", [bushOf(60), bushOf(60, 100)]);
    const bytes = writeBoc(tree, { ...blockForm, crc: false });
    const at = bytes.indexOf(Buffer.from(bushOf(60).ref(1).hash(), "hex"));
    expect(at).toBeGreaterThan(0);
    bytes[at] = (bytes[at] as number) ^ 1;
    const read = readRoot(bytes);
    const [bad, good] = read.refs() as [Cell, Cell];
    for (const cells of [[read], [good, bad], [bad], [read, good]])
      expect(refusalCode(() => hashAll(cells))).toBe("cell/boc-hash");
    expect(good.hash()).toBe(bushOf(60, 100).hash());
    expect(bad.ref(0).hash()).toBe(bushOf(60).ref(0).hash());
    for (const cell of [bad, read, bad.ref(1)]) expect(refusalCode(() => cell.hash())).toBe("cell/boc-hash");
  });

  it("of a Merkle cell with wrong content fail each time", () => {
    const bytes = writeBoc(cellOf("", [bushOf(20), makeProofCell(bushOf(30))]));
    const at = bytes.indexOf(Buffer.from(bushOf(30).hash(), "hex"));
    bytes[at] = (bytes[at] as number) ^ 1;
    const read = readRoot(bytes);
    for (let i = 0; i < 2; i++) expect(refusalCode(() => hashAll([read]))).toBe("cell/proof");
    expect(read.ref(1).ref(0).hash()).toBe(bushOf(30).hash());
  });

  it("fail at the lowest level, too, above a Merkle cell with wrong content", () => {
    const lying = makeProofCell(cellOf("1", [makePruned(bushOf(30), 1), makePruned(bushOf(9), 2)]));
    const bytes = writeBoc(makeProofCell(cellOf("", [lying, makePruned(bushOf(20), 1)])));
    const at = bytes.indexOf(Buffer.from(lying.ref(0).hash(0), "hex"));
    bytes[at] = (bytes[at] as number) ^ 1;
    const body = readRoot(bytes).ref(0);
    for (let i = 0; i < 2; i++) expect(refusalCode(() => body.hash(0))).toBe("cell/proof");
    expect(body.ref(0).ref(0).hash(0)).toBe(lying.ref(0).hash(0));
  });
});
