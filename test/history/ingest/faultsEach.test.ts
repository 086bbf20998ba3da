import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dump, type FaultTrials, openFaultTrials } from "../../kit/history/faultTrials.ts";
import { type Fault, listFaults, type Operation, type Trouble } from "../../kit/history/indexFaults.ts";

/** A trace starts in the first block and ends in the second; each block is a separate commit. */
const range = { from: 1, to: 2 } as const;

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
        // Two faults for each operation, so that neighbours cover all faults.
        for (const turn of [0, 1]) {
          const fault = possible[(at * 2 + turn) % possible.length] as Fault;
          await trials.clear();
          expect(await trials.index(range, failNth(at, fault)), `${operation} ${at}: ${fault}`).toEqual(whole);
        }
      }
    },
  );

  it.each([0, 1, 2, 3, 4])(
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
