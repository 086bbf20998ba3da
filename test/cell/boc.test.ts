import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { type BocForm, blockForm, crcForm, plainForm, readBoc, readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { toHex } from "../../src/lib/bytes.ts";
import { listCells } from "../kit/cell/bags.ts";
import {
  genericMagic,
  indexedCrcMagic,
  indexedMagic,
  leaf,
  type RawBag,
  type RawCell,
  rawBag,
} from "../kit/cell/rawBag.ts";
import { readLeadingBoc } from "../kit/cell/readLeadingBoc.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** Every combination of the optional parts of a bag. */
const forms: BocForm[] = [];
for (let bits = 0; bits < 32; bits++) {
  const [index, crc, cacheBits, topHashes, innerHashes] = [1, 2, 4, 8, 16].map((bit) => (bits & bit) !== 0) as [
    boolean,
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  if (index || !cacheBits) forms.push({ index, crc, cacheBits, topHashes, innerHashes });
}

/** One cell with data and three below it, one of them shared. */
const small: readonly RawCell[] = [
  { d1: 2, d2: 2, data: "aa", refs: [1, 2] },
  { d1: 1, d2: 1, data: "c0", refs: [3] },
  { d1: 1, d2: 0, refs: [3] },
  leaf,
];
const smallRoot = cellOf("10101010", [cellOf("1", [emptyCell]), cellOf("", [emptyCell])]);

function hashes(roots: readonly Cell[]): string[] {
  return roots.map((root) => root.hash());
}

describe("a bag is read", () => {
  it.each<[string, Omit<RawBag, "cells">]>([
    ["in the plain form", {}],
    ["with a checksum", { flags: 0x40 }],
    ["with an index", { flags: 0x80 }],
    ["with an index and a checksum", { flags: 0xc0 }],
    ["with cache bits", { flags: 0xa0, index: [10, 18, 24, 29], offsetSize: 1 }],
    ["with sizes larger than needed", { refSize: 4, offsetSize: 8, flags: 0xc0 }],
    ["in the old form", { magic: indexedMagic }],
    ["in the old form with a checksum", { magic: indexedCrcMagic, refSize: 2 }],
  ])("%s", (_what, bag) => {
    expect(readRoot(rawBag({ ...bag, cells: small })).hash()).toBe(smallRoot.hash());
  });

  it("with several roots, also repeated ones", () => {
    const roots = readBoc(rawBag({ cells: small, roots: [0, 3, 1, 3, 0, 0] }));
    const [first, second] = smallRoot.refs() as [Cell, Cell];
    expect(hashes(roots)).toEqual(hashes([smallRoot, emptyCell, first, emptyCell, smallRoot, smallRoot]));
    expect(second.depth()).toBe(1);
    expect(refusalCode(() => readRoot(rawBag({ cells: small, roots: [0, 3] })))).toBe("cell/boc-roots");
  });

  it("with unreferenced cells", () => {
    expect(readRoot(rawBag({ cells: [...small, { d1: 0, d2: 2, data: "77" }] })).hash()).toBe(smallRoot.hash());
  });

  it("with stored hashes and depths, which are checked when a hash is requested", () => {
    const stored = (hash: string, depth: string): Buffer =>
      rawBag({ cells: [{ d1: 0x10, d2: 0, data: hash + depth }] });
    expect(readRoot(stored(emptyCell.hash(), "0000")).hash()).toBe(emptyCell.hash());
    const wrong = [stored("00".repeat(32), "0000"), stored(emptyCell.hash(), "0001")].map((bytes) => readRoot(bytes));
    for (const root of [...wrong, ...wrong]) expect(refusalCode(() => root.hash())).toBe("cell/boc-hash");
  });

  it("although the stored level of a cell is wrong, if no hashes are stored with it", () => {
    expect(readRoot(rawBag({ cells: [{ d1: 0x60, d2: 0 }] })).level).toBe(0);
    const stored = { d1: 0x30, d2: 0, data: "00".repeat(68) };
    expect(refusalCode(() => readRoot(rawBag({ cells: [stored] })))).toBe("cell/level");
  });

  it("unless trailing bytes follow", () => {
    const bytes = rawBag({ cells: small, flags: 0x40, behind: "b5ee" });
    expect(refusalCode(() => readBoc(bytes))).toBe("cell/boc-trailing");
    expect(hashes(readLeadingBoc(bytes))).toEqual([smallRoot.hash()]);
  });

  it("from a view into larger memory", () => {
    const bytes = rawBag({ cells: small });
    const larger = new Uint8Array(bytes.length + 9);
    larger.set(bytes, 5);
    expect(readRoot(larger.subarray(5, 5 + bytes.length)).hash()).toBe(smallRoot.hash());
  });
});

describe("a bag is refused", () => {
  const cells = small;
  const chain = Array.from({ length: 1026 }, (_, i) => (i < 1025 ? { d1: 1, d2: 0, refs: [i + 1] } : leaf));

  it.each<[string, string, RawBag]>([
    ["cell/boc-magic", "with an unknown beginning", { cells, magic: 0xb5ee9c73 }],
    ["cell/boc-header", "with unknown flags", { cells, flags: 0x08 }],
    ["cell/boc-header", "with cache bits and no index", { cells, flags: 0x20 }],
    ["cell/boc-header", "with references of no bytes", { cells: [], refSize: 0, cellCount: 0 }],
    ["cell/boc-header", "with references of five bytes", { cells, refSize: 5 }],
    ["cell/boc-header", "with offsets of no bytes", { cells, offsetSize: 0 }],
    ["cell/boc-header", "with offsets of nine bytes", { cells, offsetSize: 9 }],
    ["cell/boc-header", "with absent cells", { cells, absent: 1 }],
    ["cell/boc-header", "with a length beyond 2^53", { cells, offsetSize: 8, dataSize: 2 ** 60 }],
    ["cell/boc-header", "with more cells than its length can hold", { cells, cellCount: 200 }],
    ["cell/boc-roots", "with no cells", { cells: [], cellCount: 0, dataSize: 0 }],
    ["cell/boc-roots", "with no roots", { cells, roots: [] }],
    ["cell/boc-roots", "with a root that is no cell", { cells, roots: [4] }],
    ["cell/boc-roots", "with two roots in the old form", { cells, magic: indexedMagic, rootCount: 2 }],
    ["cell/boc-cut", "that is shorter than it says", { cells, dataSize: 100 }],
    ["cell/boc-cut", "that ends inside a cell", { cells, cellCount: 5 }],
    ["cell/boc-cut", "whose last cell has more references than there are", { cells: [{ d1: 1, d2: 0 }] }],
    ["cell/boc-cut", "whose last cell has more data than there is", { cells: [{ d1: 0, d2: 255, data: "ff" }] }],
    ["cell/boc-cut", "whose last cell has fewer stored hashes than it says", { cells: [{ d1: 0x10, d2: 0 }] }],
    ["cell/boc-trailing", "with bytes behind its end", { cells, behind: "00" }],
    ["cell/boc-trailing", "with bytes behind its last cell", { cells: [...small, leaf], cellCount: 4 }],
    ["cell/boc-crc", "with a wrong checksum", { cells, flags: 0x40, crc: 1 }],
    ["cell/boc-crc", "with a wrong checksum in the old form", { cells, magic: indexedCrcMagic, crc: 1 }],
    ["cell/boc-index", "with a wrong index", { cells, flags: 0x80, index: [5, 9, 13, 14] }],
    ["cell/boc-index", "with a wrong index in the old form", { cells, magic: indexedMagic, index: [5, 9, 11, 13] }],
    ["cell/boc-index", "with a mark on a cell met once", { cells, flags: 0xa0, index: [10, 19, 24, 29] }],
    ["cell/boc-index", "without a mark on a cell met twice", { cells, flags: 0xa0, index: [10, 18, 24, 28] }],
    [
      "cell/boc-index",
      "without a mark on a second root",
      { cells, flags: 0xa0, roots: [0, 1], index: [10, 18, 24, 29] },
    ],
    ["cell/boc-order", "with a reference to the cell itself", { cells: [{ d1: 1, d2: 0, refs: [0] }, leaf] }],
    ["cell/boc-order", "with a reference backwards", { cells: [leaf, { d1: 1, d2: 0, refs: [0] }] }],
    ["cell/boc-order", "with a reference to nowhere", { cells: [{ d1: 1, d2: 0, refs: [2] }, leaf] }],
    ["cell/boc-cell", "with five references", { cells: [{ d1: 5, d2: 0, refs: [1, 1, 1, 1, 1] }, leaf] }],
    ["cell/boc-cell", "with an absent cell inside", { cells: [{ d1: 0x17, d2: 0, data: "00".repeat(34) }] }],
    ["cell/boc-cell", "with data that does not end", { cells: [{ d1: 0, d2: 1, data: "00" }] }],
    ["cell/boc-cell", "with a last byte that holds no data", { cells: [{ d1: 0, d2: 1, data: "80" }] }],
    ["cell/exotic", "with an exotic cell without a type", { cells: [{ d1: 8, d2: 0 }] }],
    ["cell/exotic", "with an exotic cell of an unknown type", { cells: [{ d1: 8, d2: 2, data: "05" }] }],
    [
      "cell/exotic",
      "with a library cell that is too short",
      { cells: [{ d1: 8, d2: 64, data: `02${"00".repeat(31)}` }] },
    ],
    ["cell/exotic", "with a pruned branch without levels", { cells: [{ d1: 8, d2: 4, data: "0100" }] }],
    ["cell/exotic", "with a pruned branch of level 4", { cells: [{ d1: 8, d2: 72, data: `0108${"00".repeat(34)}` }] }],
    [
      "cell/exotic",
      "with a pruned branch cut short",
      { cells: [{ d1: 0x28, d2: 70, data: `0101${"00".repeat(33)}` }] },
    ],
    ["cell/exotic", "with a Merkle proof of nothing", { cells: [{ d1: 8, d2: 70, data: `03${"00".repeat(34)}` }] }],
    [
      "cell/exotic",
      "with a Merkle update of one tree",
      { cells: [{ d1: 9, d2: 138, data: `04${"00".repeat(68)}`, refs: [1] }, leaf] },
    ],
    ["cell/depth", "that is too deep", { cells: chain, refSize: 2 }],
    [
      "cell/depth",
      "with a pruned branch that is too deep",
      { cells: [{ d1: 0x28, d2: 72, data: `0101${"00".repeat(32)}0401` }] },
    ],
  ])("with %s %s", (code, _what, bag) => {
    expect(refusalCode(() => readBoc(rawBag(bag)))).toBe(code);
  });

  it("at every truncated length, in every form", () => {
    const tree = cellOf("1".repeat(500), [chainOf(3), cellOf("01", [makePruned(chainOf(2), 1)])]);
    for (const form of forms) {
      const bytes = writeBoc([tree, tree.ref(0)], form);
      for (let length = 0; length < bytes.length; length++)
        expect(refusalCode(() => readBoc(bytes.subarray(0, length)))).toBe("cell/boc-cut");
    }
  });

  it("above the caller's limits", () => {
    const bytes = writeBoc([smallRoot, emptyCell]);
    expect(readBoc(bytes, { maxBytes: bytes.length, maxCells: 4, maxRoots: 2 }).length).toBe(2);
    expect(refusalCode(() => readBoc(bytes, { maxBytes: bytes.length - 1 }))).toBe("cell/boc-size");
    expect(refusalCode(() => readBoc(bytes, { maxCells: 3 }))).toBe("cell/boc-size");
    expect(refusalCode(() => readBoc(bytes, { maxRoots: 1 }))).toBe("cell/boc-roots");
  });

  it.each<[string, Omit<RawBag, "cells">]>([
    ["four billion cells", { cellCount: 2 ** 32 - 1, refSize: 4 }],
    ["eight million cells", { cellCount: 2 ** 23, refSize: 4, dataSize: 2 ** 25, offsetSize: 4 }],
    ["eight million roots", { rootCount: 2 ** 23, refSize: 4 }],
    ["sixteen thousand roots", { rootCount: 2 ** 14, refSize: 4 }],
    ["a terabyte", { dataSize: 2 ** 40, offsetSize: 6 }],
    ["an index of 64 MB", { flags: 0x80, cellCount: 2 ** 23, refSize: 4, dataSize: 2 ** 25, offsetSize: 8 }],
  ])("before it allocates memory if it claims %s", (_what, bag) => {
    const bytes = rawBag({ ...bag, cells: small });
    const before = process.memoryUsage();
    for (let i = 0; i < 100; i++) refusalCode(() => readBoc(bytes));
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1 << 20);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(32 << 20);
  });
});

describe("a written bag", () => {
  it("is read back the same in every form", () => {
    fc.assert(
      fc.property(anyTree(), anyTree(10), fc.constantFrom(...forms), (tree, other, form) => {
        const roots = [tree, other, ...tree.refs(), tree];
        expect(hashes(readBoc(writeBoc(roots, form)))).toEqual(hashes(roots));
        expect(readRoot(writeBoc(tree, form)).hash()).toBe(tree.hash());
      }),
      { numRuns: repeats({ usual: 80, all: 300 }) },
    );
  });

  it("is the same after reading and writing, and has every distinct cell once", () => {
    fc.assert(
      fc.property(anyTree(), fc.constantFrom(...forms), (tree, form) => {
        const bytes = writeBoc(tree, form);
        const read = readRoot(bytes);
        expect(writeBoc(read, form).equals(bytes)).toBe(true);
        const cells = listCells([read]);
        expect(new Set(hashes(cells)).size).toBe(cells.length);
      }),
      { numRuns: repeats({ usual: 80, all: 200 }) },
    );
  });

  it("has pruned branches, with the hashes of all levels on request", () => {
    const pruned = makePruned(makePruned(chainOf(9), 1), 2);
    for (const form of forms) {
      const bytes = writeBoc(cellOf("1", [pruned, chainOf(2)]), form);
      const [read] = readRoot(bytes).refs();
      expect([0, 1, 2, 3].map((l) => [read?.hash(l), read?.depth(l)])).toEqual(
        [0, 1, 2, 3].map((l) => [pruned.hash(l), pruned.depth(l)]),
      );
    }
    const alone = writeBoc(pruned, { topHashes: true });
    expect(readRoot(alone).hash()).toBe(pruned.hash());
    expect(alone.length).toBe(writeBoc(pruned).length + 3 * 34);
    for (const at of [alone.length - 75, alone.length - 80, alone.length - 100]) {
      const mutated = Buffer.from(alone);
      mutated[at] = (mutated[at] as number) ^ 1;
      expect(["cell/boc-hash", "ok"]).toContain(outcome(() => readRoot(mutated).hash()));
    }
  });

  it("describes its content in its header", () => {
    const flags = (form: BocForm) => (writeBoc(smallRoot, form)[4] as number) & 0xf8;
    expect([plainForm, crcForm, blockForm, { index: true }].map(flags)).toEqual([0, 0x40, 0xe0, 0x80]);
  });

  it("of more than 255 cells and 65,535 bytes has larger sizes", () => {
    const leaves = Array.from({ length: 600 }, (_, i) =>
      beginCell().storeUint(i, 32).storeBytes(new Uint8Array(120)).cell(),
    );
    let level: Cell[] = leaves;
    while (level.length > 1)
      level = Array.from({ length: Math.ceil(level.length / 4) }, (_, i) => cellOf("", level.slice(i * 4, i * 4 + 4)));
    for (const form of forms) {
      const bytes = writeBoc(level, form);
      expect([(bytes[4] as number) & 7, bytes[5]]).toEqual([2, 3]);
      expect(readRoot(bytes).hash()).toBe(level[0]?.hash());
    }
  });

  it("has the bytes of a known bag", () => {
    expect(toHex(writeBoc(emptyCell))).toBe("b5ee9c72010101010002000000");
    expect(toHex(writeBoc(smallRoot)).slice(0, 8)).toBe(genericMagic.toString(16));
  });

  it("is rejected without roots, and with cache bits but no index", () => {
    expect(refusalCode(() => writeBoc([]))).toBe("cell/boc-roots");
    expect(refusalCode(() => writeBoc(emptyCell, { cacheBits: true }))).toBe("cell/boc-header");
  });

  it("is written at any call depth, however deep the cells are", () => {
    const deep = chainOf(1024);
    expect(atDepth(3000, () => readRoot(writeBoc(deep, blockForm)).hash())).toBe(deep.hash());
  });
});

function outcome(work: () => unknown): string {
  try {
    work();
    return "ok";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Runs the work with `depth` calls already on the stack. */
function atDepth<T>(depth: number, work: () => T): T {
  return depth === 0 ? work() : atDepth(depth - 1, work);
}
