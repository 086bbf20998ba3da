import { expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { crcForm, readBocInSteps, readLazyRootInSteps, readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import type { Steps } from "../../src/lib/sharing/steps.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** A full binary tree: 2 ** (depth + 1) - 1 different cells. */
function treeOf(depth: number, name = "1"): Cell {
  return cellOf(name, depth === 0 ? [] : [treeOf(depth - 1, `${name}0`), treeOf(depth - 1, `${name}1`)]);
}

function countSteps<T>(steps: Steps<T>): readonly [result: T, pauses: number] {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return [step.value, pauses];
  }
}

it("a large bag is read with pauses in every pass over its cells", () => {
  const tree = treeOf(15);
  const bytes = writeBoc(tree, crcForm);
  const [[root], pauses] = countSteps(readBocInSteps(bytes));
  expect(root?.hash()).toBe(tree.hash());
  // 65,535 cells: the bytes, levels, hash slots and depths of 5,000 at a time, the hashes of 1,000, and the checksum of
  // a megabyte.
  const checksums = Math.floor((bytes.length - 5) / (1 << 20));
  expect(pauses).toBe(4 * 13 + 66 + checksums);
  const [lazy, lazyPauses] = countSteps(readLazyRootInSteps(bytes));
  expect([lazy.hash(), lazyPauses]).toEqual([tree.hash(), 4 * 13 + checksums]);
});

it("a damaged large bag is refused as one that is read at once", () => {
  const bytes = writeBoc(treeOf(5), crcForm);
  bytes[bytes.length - 10] = (bytes[bytes.length - 10] ?? 0) ^ 1;
  expect(refusalCode(() => countSteps(readBocInSteps(bytes)))).toBe("cell/boc-crc");
  expect(refusalCode(() => readRoot(bytes))).toBe("cell/boc-crc");
});
