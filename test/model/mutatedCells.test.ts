import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AugmentedDictionary } from "../../src/cell/augmentedDictionary.ts";
import { readRoot } from "../../src/cell/boc.ts";
import { Cell } from "../../src/cell/Cell.ts";
import { type Codec, loadCell } from "../../src/cell/codec.ts";
import { Dictionary } from "../../src/cell/dictionary.ts";
import { Linked } from "../../src/cell/linked.ts";
import { openMerkleUpdate } from "../../src/cell/merkle/merkleUpdate.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { Account } from "../../src/model/Account.ts";
import { Block } from "../../src/model/block/Block.ts";
import { ShardState, ShardStateUnsplit } from "../../src/model/block/ShardState.ts";
import { Transaction } from "../../src/model/Transaction.ts";
import { anyMutation, type CellMutation, mutateCell } from "../kit/cell/mutatedCell.ts";
import { fixtureBlocks, fixtureTransactions, readFixtureChain } from "../kit/model/fixtureChain.ts";
import { repeats } from "../kit/suite/everything.ts";

/** Mutations that reach deep enough into a block. */
const anyMutations = fc.array(
  fc
    .tuple(anyMutation, fc.array(fc.nat({ max: 3 }), { maxLength: 12 }))
    .map(([mutation, path]): CellMutation => ({ ...mutation, path })),
  { minLength: 1, maxLength: 3 },
);

/** Reads everything; if one part is rejected with a code, the others are still read. */
function readAll(value: unknown): void {
  const waiting: unknown[] = [value];
  for (let left = 5_000; waiting.length > 0 && left > 0; left--) {
    const next = waiting.pop();
    if (next instanceof Linked) waiting.push(unlessRefused(() => next.load()));
    else if (next instanceof Dictionary || next instanceof AugmentedDictionary)
      waiting.push(unlessRefused(() => next.entries({ limit: 1_000 })));
    else if (typeof next === "object" && next !== null && !(next instanceof Cell)) waiting.push(...Object.values(next));
  }
}

function unlessRefused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

/** Reading every mutated cell gives a value or a code, never another failure. */
function expectCodes<T>(codec: Codec<T>, cells: readonly Cell[], numRuns: number): void {
  fc.assert(
    fc.property(fc.nat({ max: cells.length - 1 }), anyMutations, (index, mutations) => {
      const cell = mutations.reduce(mutateCell, cells[index] as Cell);
      expect(() => readAll(new Linked(cell, codec))).not.toThrow();
    }),
    { numRuns: repeats({ usual: numRuns / 5, all: numRuns }) },
  );
}

function zerostateAccounts(): Cell[] {
  const record = readFixtureChain("chain");
  return record.zerostates.flatMap((recorded) => {
    const state = loadCell(ShardStateUnsplit, readRoot(record.stateBytes(recorded)));
    return state.accounts
      .load()
      .entries()
      .map(([, { account }]) => account.cell);
  });
}

describe("mutated cells of real chains are read or rejected with a code", () => {
  it("transactions", () => expectCodes(Transaction, fixtureTransactions("traffic"), 6_000));

  it("accounts", () => expectCodes(Account, zerostateAccounts(), 2_000));

  it("blocks", () => {
    const small = fixtureBlocks("chain").filter((_, i) => i % 4 === 0);
    expectCodes(Block, [...small, ...fixtureBlocks("traffic")], 1_500);
  });

  it("states, as far as blocks show them", () => {
    const halves = fixtureBlocks("chain").map((root) => openMerkleUpdate(loadCell(Block, root).stateUpdate).to);
    expectCodes(ShardState, halves, 1_000);
  });
});
