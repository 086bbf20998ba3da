import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dump, type FaultTrials, openFaultTrials } from "../../kit/history/faultTrials.ts";
import { type Fault, listFaults, type Operation, type Trouble } from "../../kit/history/indexFaults.ts";
import { repeats, someOf } from "../../kit/suite/everything.ts";

/** A trace starts in the first block and ends in the second; each block is a separate commit. */
const range = { from: 1, to: 2 } as const;

/** Faults that each operation is tried with. */
const faultsOfEach = repeats({ usual: 1, all: 2 });

let trials: FaultTrials;
let whole: Dump;
/** The operations of an indexer for these blocks, in order. */
const operations: Operation[] = [];
beforeAll(async () => {
  trials = await openFaultTrials();
  whole = await trials.index(range, (operation) => {
    operations.push(operation);
    return undefined;
  });
});
afterAll(() => trials?.close());

/** Makes one operation fail. */
function failNth(at: number, fault: Fault): Trouble {
  let count = 0;
  return () => (count++ === at ? fault : undefined);
}

describe("an index with one failing operation", () => {
  it("queries, reads, writes and commits for the tested blocks", () => {
    expect(new Set(operations)).toEqual(new Set(["liteQuery", "query", "statement", "commit"]));
  });

  it.each(["liteQuery", "query", "statement", "commit"] as const)(
    "has the same rows in the end, whichever %s fails and how",
    async (kind) => {
      const possible = [...listFaults(kind), "abort", "unlock"] as const;
      for (const [at, operation] of operations.entries()) {
        if (operation !== kind) continue;
        // Neighbours cover all faults.
        for (let turn = 0; turn < faultsOfEach; turn++) {
          const fault = possible[(at * faultsOfEach + turn) % possible.length] as Fault;
          await trials.clear();
          expect(await trials.index(range, failNth(at, fault)), `${operation} ${at}: ${fault}`).toEqual(whole);
        }
      }
    },
  );

  it.each(someOf([0, 1, 2, 3, 4], (lateBy) => lateBy % 2 === 0))(
    "keeps them when a seemingly lost commit takes effect %d statements later",
    async (lateBy) => {
      for (const [at, operation] of operations.entries()) {
        if (operation !== "commit") continue;
        await trials.clear();
        expect(await trials.index(range, failNth(at, "late"), lateBy), `commit at ${at}`).toEqual(whole);
      }
    },
  );
});
