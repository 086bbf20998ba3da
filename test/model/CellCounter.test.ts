import { describe, expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { uint } from "../../src/cell/codec.ts";
import { makeDictionary } from "../../src/cell/dictionary.ts";
import { makeProofCell } from "../../src/cell/exotic.ts";
import { hashKey } from "../../src/cell/keys.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";
import { CellCounter } from "../../src/model/CellCounter.ts";
import type { Hash } from "../../src/model/Hash.ts";
import { makeCellTree } from "../kit/cell/cellTrees.ts";
import { listSteps } from "../kit/cell/listSteps.ts";

/** What the storage dictionary of these roots lists, by the plainest way to count. */
function countPlainly(roots: readonly Cell[]): Map<Hash, { uses: number; depth: number; bits: number }> {
  const found = new Map<Hash, { uses: number; depth: number; bits: number }>();
  const visit = (cell: Cell): number => {
    const known = found.get(cell.hash());
    if (known !== undefined) {
      known.uses++;
      return known.depth;
    }
    const below = Math.max(0, ...cell.refs().map(visit));
    const depth = Math.min(3, cell.refCount > 0 && cell.isExotic ? below + 1 : below);
    found.set(cell.hash(), { uses: 1, depth, bits: cell.bitLength });
    return depth;
  };
  for (const root of roots) visit(root);
  return found;
}

function dictionaryHashOf(counted: ReturnType<typeof countPlainly>): Hash | undefined {
  const entries = [...counted].map(([hash, { uses, depth }]): [Hash, number] => [hash, uses * 4 + depth]);
  return makeDictionary(hashKey, uint(34), entries).root?.hash();
}

describe("the cells of a state", () => {
  const shared = makeCellTree(700, 1);
  const proof = makeProofCell(makeProofCell(makeCellTree(3, 2)));
  const large = beginCell().storeRef(makeCellTree(5_000, 3)).storeRef(shared).storeRef(proof).storeRef(shared).cell();
  const roots = [beginCell().storeUint(1, 8).storeRef(shared).cell(), large, shared];

  it("have the same count in steps and in one piece, shared ones once", () => {
    const plain = countPlainly(roots);
    const { value: counter } = listSteps(CellCounter.ofState(roots));
    const bits = [...plain.values()].reduce((sum, each) => sum + each.bits, 0);
    expect({ ...counter }).toEqual({ cells: plain.size, bits, merkleDepth: 2 });
    expect(listSteps(counter.dictionaryHash()).value).toBe(dictionaryHashOf(plain));
  });

  it.each([1, 26, 199, 200, 201, 400])("give the hash of the dictionary that lists %s of them", (cells) => {
    const root = makeCellTree(cells, cells);
    const hash = runAtOnce(runAtOnce(CellCounter.ofState([root])).dictionaryHash());
    expect(hash).toBe(dictionaryHashOf(countPlainly([root])));
  });

  it("are counted with a pause after every 500 references, and listed with one after every 128 cells", () => {
    const { value: counter, pauses } = listSteps(CellCounter.ofState([makeCellTree(1, 4), makeCellTree(20_000, 5)]));
    expect(pauses).toBe(Math.floor((20_000 - 1) / 500));
    expect(listSteps(counter.dictionaryHash()).pauses).toBeGreaterThanOrEqual(20_001 / 128);
  });

  it("of one code are counted once, and their copy pauses too when there are many", () => {
    const code = makeCellTree(20_000, 6);
    const first = listSteps(CellCounter.ofState([code]));
    const second = listSteps(CellCounter.ofState([code]));
    expect([first.pauses, second.pauses]).toEqual([Math.floor((20_000 - 1) / 500) + 5, 5]);
    expect([second.value.cells, second.value.bits]).toEqual([first.value.cells, first.value.bits]);
  });
});

describe("a limit of cells", () => {
  it("ends the count one cell behind it", () => {
    const counter = new CellCounter(600);
    expect([counter.add(makeCellTree(600, 7)), counter.cells]).toEqual([true, 600]);
    const { bits } = counter;
    expect([counter.add(makeCellTree(600, 8)), counter.cells, counter.bits]).toEqual([false, 601, bits]);
    expect(counter.add(makeCellTree(600, 7))).toBe(true);
    expect(counter.add(makeCellTree(600, 8))).toBe(false);
  });

  it("is found in as many steps as it takes to get there", () => {
    const counter = new CellCounter(1_200);
    expect(listSteps(counter.addInSteps(makeCellTree(100_000, 9)))).toEqual({ value: false, pauses: 2 });
  });
});
