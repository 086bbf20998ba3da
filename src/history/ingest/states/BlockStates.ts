import { beginCell } from "../../../cell/Builder.ts";
import { CellKind } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { restore } from "../../../cell/merkle/merkleUpdate.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, accountOf } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { ChangedAccount } from "../decode/DecodedBatch.ts";
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
  /** The accounts that the block changes. */
  readonly #addresses: readonly Address[];
  /** Cells that the update leaves out, by hash: those of one account may be needed for another. */
  readonly #known = new Map<Hash, Cell>();
  /** Accounts whose earlier state in memory was walked. */
  readonly #walked = new Set<Address>();
  /** Accounts whose earlier state was looked up. */
  readonly #lookedUp = new Set<Address>();
  /** Cells that the last attempt did not find. */
  readonly missing = new Set<Hash>();

  constructor(update: StateUpdate, memory: StateMemory, addresses: readonly Address[]) {
    this.#update = update;
    this.#memory = memory;
    this.#addresses = addresses;
  }

  /** Takes trees below an account's earlier cell; trees with other hashes are ignored. */
  takeTrees(address: Address, trees: readonly Cell[]): void {
    this.#lookedUp.add(address);
    this.#walk(address, (hash) => trees.find((candidate) => candidate.hash() === hash));
  }

  /**
   * A cell that the update leaves out of a new state. Most accounts keep a whole tree: the earlier state is walked only
   * for parts of one. The hash of the new state shows whether it was the right cell.
   */
  #find(hash: Hash, address: Address): Cell | undefined {
    const whole = this.#known.get(hash) ?? this.#memory.findCode(hash) ?? this.#findTree(hash, address);
    if (whole !== undefined) return whole;
    for (const each of [address, ...this.#addresses]) {
      if (!this.#walkBefore(each)) continue;
      const part = this.#known.get(hash);
      if (part !== undefined) return part;
    }
    return undefined;
  }

  #findTree(hash: Hash, address: Address): Cell | undefined {
    const kept = this.#memory.findTrees(address)?.find((tree) => tree.hash === hash);
    return kept && this.#memory.openTree(kept);
  }

  /** Collects cells of an account's earlier state in memory; returns whether there may be new ones. */
  #walkBefore(address: Address): boolean {
    if (this.#walked.has(address)) return false;
    this.#walked.add(address);
    if (this.#memory.findTrees(address) === undefined) return false;
    this.#walk(address, (hash) => this.#findTree(hash, address));
    return true;
  }

  #walk(address: Address, findTree: (hash: Hash) => Cell | undefined): void {
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

  /** The state of an account before the block; `undefined` when cells of it are not known. */
  findBefore(address: Address): Cell | undefined {
    return this.#restore(this.#update.before(accountOf(address)), address);
  }

  /** Derives as many states as possible and returns those that are missing. */
  make(changed: readonly ChangedAccount[], made: Map<Address, Cell>): Lacking[] {
    this.missing.clear();
    const lacking: Lacking[] = [];
    for (const entry of changed) {
      // The update need not show the place of a deleted account.
      const isGone = entry.stateHash === noAccount.hash();
      const half: HalfAccount = isGone ? { kind: "none" } : this.#update.after(accountOf(entry.address));
      const cell = this.#restore(half, entry.address);
      if (cell !== undefined) made.set(entry.address, cell);
      else if (half.kind === "hidden") lacking.push({ changed: entry, reason: "hidden" });
      else lacking.push({ changed: entry, reason: this.#isKnown(entry.address) ? "missing" : "unknown" });
    }
    return lacking;
  }

  #isKnown(address: Address): boolean {
    return this.#lookedUp.has(address) || this.#memory.findTrees(address) !== undefined;
  }

  #restore(half: HalfAccount, address: Address): Cell | undefined {
    if (half.kind === "hidden") return undefined;
    if (half.kind === "none") return noAccount;
    try {
      return restore(half.cell, (hash) => {
        const cell = this.#find(hash, address);
        if (cell === undefined) this.missing.add(hash);
        return cell;
      });
    } catch (error) {
      if (isCoded(error, "cell/update")) return undefined;
      throw error;
    }
  }
}
