import { describe, expect, it } from "vitest";
import { makeLinked } from "../../../src/cell/linked.ts";
import { type AppliedTrace, PendingStates } from "../../../src/chain/pending/PendingStates.ts";
import { Account } from "../../../src/model/Account.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";

const [x, y, z] = ["1", "2", "3"].map((digit) => makeAddress(0, digit.repeat(64) as Hash)) as [
  Address,
  Address,
  Address,
];
const nobody = { account: makeLinked(Account, { kind: "none" }), lastTransactionHash: zeroHash, lastTransactionLt: 0n };

let runs = 0;

interface Given {
  readonly changed: readonly Address[];
  readonly onlyRead?: readonly Address[];
  /** Whether states left by earlier traces are used; defaults to true. */
  readonly isTaken?: boolean;
}

/** A trace as if it were run now. */
function lay(states: PendingStates, place: number, { changed, onlyRead = [], isTaken = true }: Given): AppliedTrace {
  const stateBases = [...changed, ...onlyRead].map((address) => {
    const appliedTrace = states.findBefore(place, address);
    const met = appliedTrace && { place: appliedTrace.place, run: appliedTrace.run };
    return [address, { chainLt: 5n, seen: met, isTaken: met !== undefined && isTaken }] as const;
  });
  const after = new Map(changed.map((address) => [address, nobody]));
  return { place, run: runs++, ranAtMs: 0, stateBases: new Map(stateBases), after };
}

function layAll(...changed: readonly (readonly Address[])[]) {
  const states = new PendingStates();
  for (const [place, own] of changed.entries()) expect(states.put(lay(states, place, { changed: own }))).toEqual([]);
  return states;
}

describe("accounts after pending traces", () => {
  it("are those of the last trace before the given place", () => {
    const states = layAll([x, y], [y], [y, z]);
    const last = (place: number, address: Address) => states.findBefore(place, address)?.place;
    expect([last(3, x), last(3, y), last(2, y), last(1, y), last(0, y), last(9, z)]).toEqual([
      0,
      2,
      1,
      0,
      undefined,
      2,
    ]);
  });

  it("change for traces that depended on a removed one, and for no others", () => {
    const states = layAll([x], [x, y], [y], [z]);
    expect(states.remove(0)).toEqual([1]);
    expect([states.remove(0), states.remove(3)]).toEqual([[], []]);
    expect(states.remove(1)).toEqual([2]);
  });

  it("do not change for traces that skipped an outdated one", () => {
    const states = layAll([x]);
    states.put(lay(states, 1, { changed: [x], isTaken: false }));
    expect(states.remove(0)).toEqual([]);
  });

  it("change for the traces after a repeated run, but not for those after them", () => {
    const states = layAll([x], [x], [x]);
    expect(states.put(lay(states, 0, { changed: [x] }))).toEqual([1]);
    expect(states.put(lay(states, 1, { changed: [x] }))).toEqual([2]);
    expect(states.put(lay(states, 2, { changed: [x] }))).toEqual([]);
  });

  it("change for later traces when a run no longer changes an account, or changes a new one", () => {
    const states = layAll([x], [x, y]);
    states.put(lay(states, 2, { changed: [z], onlyRead: [y] }));
    expect(states.put(lay(states, 0, { changed: [z] }))).toEqual([1, 2]);
    expect(states.put(lay(states, 1, { changed: [] }))).toEqual([2]);
  });

  it("change for a trace that was run while an earlier one arrived", () => {
    const states = new PendingStates();
    const early = lay(states, 0, { changed: [x] });
    const late = lay(states, 1, { changed: [x] });
    expect(states.put(early)).toEqual([]);
    expect(states.put(late)).toEqual([1]);
    expect(states.put(lay(states, 1, { changed: [x] }))).toEqual([]);
    expect([states.size, states.find(1)?.place, states.find(2)]).toEqual([2, 1, undefined]);
    states.clear();
    expect([states.size, states.findBefore(9, x)]).toEqual([0, undefined]);
  });
});
