import { expect, it } from "vitest";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import { hashInSteps } from "../../src/cell/hashInSteps.ts";
import { makeCellTree } from "../kit/cell/cellTrees.ts";
import { listSteps } from "../kit/cell/listSteps.ts";

it("hashes a built tree with a pause after 300 cells or some more, and then finds nothing to do", () => {
  const root = makeCellTree(3_000, 1);
  expect(listSteps(hashInSteps(root)).pauses).toBe(8);
  expect(root.waitsForHash).toBe(false);
  expect(root.hash()).toBe(readRoot(writeBoc(makeCellTree(3_000, 1))).hash());
  expect(listSteps(hashInSteps(root)).pauses).toBe(0);
});
