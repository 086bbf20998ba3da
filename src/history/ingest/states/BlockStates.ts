import { beginCell } from "../../../cell/Builder.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { CellKind } from "../../../cell/CellKind.ts";
import { restore } from "../../../cell/merkleUpdate.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, accountOf } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { ChangedAccount } from "../Batch.ts";
import type { StateMemory } from "./StateMemory.ts";
import { type HalfAccount, noteLeftOut, type StateUpdate } from "./stateUpdate.ts";

// account_none$0 = Account;
export const noAccount = beginCell().storeBit(false).cell();

/**
 * Why a lite server is queried for a state: the account is unknown, a cell is missing although the account is known, or
 * the update does not show the account's place.
 */
export type AccountQueryReason = "unknown" | "missing" | "hidden";

/** A new state that cannot be derived yet. */
export interface Lacking {
  readonly changed: ChangedAccount;
  readonly reason: AccountQueryReason;
}

/** The states of one block while they are derived. */
export class BlockStates {
  readonly #update: StateUpdate;
  readonly #memory: StateMemory;
  /** Cells that the update leaves out, by hash: those of one account may be needed for another. */
  readonly #known = new Map<Hash, Cell>();
  readonly #taken = new Set<Address>();
  /** Cells that the last attempt did not find. */
  readonly missing = new Set<Hash>();

  constructor(update: StateUpdate, memory: StateMemory) {
    this.#update = update;
    this.#memory = memory;
  }

  /** Takes the account's earlier state from memory. */
  takeBefore(address: Address): void {
    const trees = this.#memory.findTrees(address);
    if (trees === undefined) return;
    // Only what the block needs is parsed: the hash of the new state shows whether it was the right tree.
    this.#take(address, (hash) => {
      const kept = trees.find((tree) => tree.hash === hash);
      return kept && this.#memory.openTree(kept);
    });
  }

  /** Takes trees below an account's earlier cell; trees with other hashes are ignored. */
  takeTrees(address: Address, trees: readonly Cell[]): void {
    this.#take(address, (hash) => trees.find((candidate) => candidate.hash() === hash));
  }

  #take(address: Address, findTree: (hash: Hash) => Cell | undefined): void {
    this.#taken.add(address);
    const before = this.#update.before(accountOf(address));
    if (before.kind !== "there" || before.cell.kind === CellKind.pruned) return;
    for (const half of before.cell.refs()) {
      const hash = half.hash(0);
      const tree = findTree(hash) ?? this.#memory.findCode(hash);
      if (tree !== undefined) noteLeftOut(tree, half, this.#known);
    }
  }

  addCode(code: Cell): void {
    this.#known.set(code.hash(), code);
  }

  /** Derives as many states as possible and returns those that are missing. */
  make(changed: readonly ChangedAccount[], made: Map<Address, Cell>): Lacking[] {
    this.missing.clear();
    const lacking: Lacking[] = [];
    for (const entry of changed) {
      // The update need not show the place of a deleted account.
      const isGone = entry.stateHash === noAccount.hash();
      const half: HalfAccount = isGone ? { kind: "none" } : this.#update.after(accountOf(entry.address));
      const cell = this.#restore(half);
      if (cell !== undefined) made.set(entry.address, cell);
      else if (half.kind === "hidden") lacking.push({ changed: entry, reason: "hidden" });
      else lacking.push({ changed: entry, reason: this.#taken.has(entry.address) ? "missing" : "unknown" });
    }
    return lacking;
  }

  #restore(half: HalfAccount): Cell | undefined {
    if (half.kind === "hidden") return undefined;
    if (half.kind === "none") return noAccount;
    try {
      return restore(half.cell, (hash) => {
        const found = this.#known.get(hash) ?? this.#memory.findCode(hash);
        if (found === undefined) this.missing.add(hash);
        return found;
      });
    } catch (error) {
      if (isCoded(error, "cell/update")) return undefined;
      throw error;
    }
  }
}
