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
 * Why a server had to be asked for a state: nothing was known of the account before, something was and a cell is missing
 * all the same, or the block's update does not show the place of the account.
 */
export type AccountQueryReason = "unknown" | "missing" | "hidden";

/** A new state that could not be made yet. */
export interface Lacking {
  readonly changed: ChangedAccount;
  readonly reason: AccountQueryReason;
}

/** The states of one block in the making. */
export class BlockStates {
  readonly #update: StateUpdate;
  readonly #memory: StateMemory;
  /** Cells that the update has left out, by hash: those of one account may be needed for another. */
  readonly #known = new Map<Hash, Cell>();
  readonly #taken = new Set<Address>();
  /** Cells that were looked for and not found, in the last attempt. */
  readonly missing = new Set<Hash>();

  constructor(update: StateUpdate, memory: StateMemory) {
    this.#update = update;
    this.#memory = memory;
  }

  /** Takes what memory has of an account before the block. */
  takeBefore(address: Address): void {
    const trees = this.#memory.findTrees(address);
    if (trees !== undefined)
      this.takeTrees(
        address,
        trees.map((tree) => this.#memory.openTree(tree)),
      );
  }

  /** Takes trees below an account's cell before the block; those that are not in their place are of no use. */
  takeTrees(address: Address, trees: readonly Cell[]): void {
    this.#taken.add(address);
    const before = this.#update.before(accountOf(address));
    if (before.kind !== "there" || before.cell.kind === CellKind.pruned) return;
    for (const half of before.cell.refs()) {
      const hash = half.hash(0);
      const tree = trees.find((candidate) => candidate.hash() === hash) ?? this.#memory.findCode(hash);
      if (tree !== undefined) noteLeftOut(tree, half, this.#known);
    }
  }

  addCode(code: Cell): void {
    this.#known.set(code.hash(), code);
  }

  /** Makes as many states as can be made, and gives those that cannot. */
  make(changed: readonly ChangedAccount[], made: Map<Address, Cell>): Lacking[] {
    this.missing.clear();
    const lacking: Lacking[] = [];
    for (const entry of changed) {
      // Where an account is gone, the update need not show its place.
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
