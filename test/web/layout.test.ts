import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut, type Placed } from "../../web/trace/layout.ts";
import { repeats } from "../kit/suite/everything.ts";

interface Node {
  readonly height: number;
  readonly children: Node[];
}

/** A tree from a list of heights; each node is a child of an earlier one. */
function grow(nodes: readonly (readonly [height: number, parent: number])[]): Node {
  const made: Node[] = [{ height: 10, children: [] }];
  for (const [height, parent] of nodes) {
    const node = { height, children: [] };
    made[parent % made.length]?.children.push(node);
    made.push(node);
  }
  return made[0] ?? { height: 10, children: [] };
}

/** CPU time of the fastest of a few runs: elapsed time would include other processes. */
function leastCpu(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user;
  });
  return Math.max(1_000, Math.min(...runs));
}

const trees = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat()), { maxLength: 300 }).map(grow);
const round = 1e-6;

describe("the layout of a trace", () => {
  it("never lets two nodes of a column overlap", () => {
    fc.assert(
      fc.property(trees, (root) => {
        const columns = new Map<number, Placed<Node>[]>();
        for (const each of layOut(root)) columns.set(each.depth, [...(columns.get(each.depth) ?? []), each]);
        for (const column of columns.values()) {
          const sorted = column.toSorted((a, b) => a.y - b.y);
          for (const [at, { y, node }] of sorted.entries()) {
            const next = sorted[at + 1];
            if (next !== undefined)
              expect(y + node.height / 2).toBeLessThanOrEqual(next.y - next.node.height / 2 + round);
          }
        }
      }),
      { numRuns: repeats({ usual: 60, all: 300 }) },
    );
  });

  it("centres every parent on its children, with the top edge at zero", () => {
    fc.assert(
      fc.property(trees, (root) => {
        const placed = new Map(layOut(root).map(({ node, y }) => [node, y]));
        const yOf = (node: Node | undefined) => (node === undefined ? Number.NaN : (placed.get(node) ?? Number.NaN));
        for (const [node, y] of placed) {
          if (node.children.length > 0)
            expect(y).toBeCloseTo((yOf(node.children[0]) + yOf(node.children.at(-1))) / 2, 5);
        }
        expect(Math.min(...[...placed].map(([node, y]) => y - node.height / 2))).toBeCloseTo(0, 6);
      }),
      { numRuns: repeats({ usual: 60, all: 300 }) },
    );
  });

  it("keeps the order of siblings", () => {
    fc.assert(
      fc.property(trees, (root) => {
        const placed = new Map(layOut(root).map(({ node, y }) => [node, y]));
        for (const node of placed.keys()) {
          const ys = node.children.map((child) => placed.get(child) ?? Number.NaN);
          expect(ys).toEqual(ys.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it.each([
    ["a chain", (at: number) => at],
    ["a star", () => 0],
    ["a binary tree", (at: number) => at >> 1],
    ["a comb", (at: number) => Math.max(0, at - (at % 2 === 0 ? 2 : 1))],
  ])("takes linear time: %s of 20,000", (_name, parentOf) => {
    const grown = (count: number) => grow(Array.from({ length: count }, (_none, at) => [10, parentOf(at)] as const));
    const large = grown(20_000);
    const small = Array.from({ length: 10 }, () => grown(2_000));
    expect(layOut(large).length).toBe(20_001);
    // The same number of nodes in ten trees and in one: a quadratic walk would take ten times as long for the one.
    const inTen = leastCpu(() => small.map(layOut));
    const inOne = leastCpu(() => layOut(large));
    expect(inOne / inTen).toBeLessThan(6);
  });
});
