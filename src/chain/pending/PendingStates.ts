import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";

/** The state of an account that a trace was run on. */
export interface StateBasis {
  /** The account's last transaction on the chain at that time. */
  readonly chainLt: bigint;
  /** The last earlier trace that had changed the account, at that time. */
  readonly seen: { readonly place: number; readonly run: number } | undefined;
  /** Whether the account was used as that trace leaves it, and not from the chain, which had advanced since. */
  readonly isTaken: boolean;
}

/** A trace that is not on the chain yet; traces are in the order in which their messages were sent. */
export interface AppliedTrace {
  readonly place: number;
  /** Distinguishes its runs. */
  readonly run: number;
  readonly ranAtMs: number;
  /** By every account it used. */
  readonly stateBases: ReadonlyMap<Address, StateBasis>;
  /** The accounts it changed, in their new state. */
  readonly after: ReadonlyMap<Address, ShardAccount>;
}

/**
 * Accounts after traces that are not on the chain yet. A trace depends on those before it; each change here returns the
 * traces whose input has changed, which must be run again.
 */
export class PendingStates {
  readonly #laid = new Map<number, AppliedTrace>();
  readonly #changed = new Map<Address, Set<AppliedTrace>>();
  readonly #lookedAt = new Map<Address, Set<AppliedTrace>>();

  get size(): number {
    return this.#laid.size;
  }

  find(place: number): AppliedTrace | undefined {
    return this.#laid.get(place);
  }

  /** The last trace before this position that changes an account. */
  findBefore(place: number, address: Address): AppliedTrace | undefined {
    let last: AppliedTrace | undefined;
    for (const laid of this.#changed.get(address) ?? [])
      if (laid.place < place && laid.place > (last?.place ?? -1)) last = laid;
    return last;
  }

  /**
   * Returns the positions of traces whose input has changed, including its own when others were added during its run.
   */
  put(laid: AppliedTrace): readonly number[] {
    const before = this.#take(laid.place);
    this.#laid.set(laid.place, laid);
    for (const address of laid.after.keys()) enter(this.#changed, address, laid);
    for (const address of laid.stateBases.keys()) enter(this.#lookedAt, address, laid);
    const addresses = new Set([...laid.after.keys(), ...(before?.after.keys() ?? [])]);
    const others = this.#listLater(laid.place, addresses, ({ seen }) => (seen?.place ?? -1) <= laid.place);
    return this.#isSound(laid) ? others : [laid.place, ...others];
  }

  /** Returns the positions of traces that depended on it. */
  remove(place: number): readonly number[] {
    const laid = this.#take(place);
    if (laid === undefined) return [];
    return this.#listLater(place, laid.after.keys(), ({ seen, isTaken }) => isTaken && seen?.place === place);
  }

  clear(): void {
    for (const map of [this.#laid, this.#changed, this.#lookedAt]) map.clear();
  }

  #take(place: number): AppliedTrace | undefined {
    const laid = this.#laid.get(place);
    if (laid === undefined) return undefined;
    this.#laid.delete(place);
    for (const address of laid.after.keys()) leave(this.#changed, address, laid);
    for (const address of laid.stateBases.keys()) leave(this.#lookedAt, address, laid);
    return laid;
  }

  #isSound({ place, stateBases }: AppliedTrace): boolean {
    for (const [address, { seen }] of stateBases) if (this.findBefore(place, address)?.run !== seen?.run) return false;
    return true;
  }

  #listLater(place: number, addresses: Iterable<Address>, isMeant: (basis: StateBasis) => boolean): readonly number[] {
    const places = new Set<number>();
    for (const address of addresses) {
      for (const other of this.#lookedAt.get(address) ?? []) {
        const basis = other.stateBases.get(address);
        if (other.place > place && basis !== undefined && isMeant(basis)) places.add(other.place);
      }
    }
    return [...places].sort((a, b) => a - b);
  }
}

function enter(map: Map<Address, Set<AppliedTrace>>, address: Address, laid: AppliedTrace): void {
  const own = map.get(address);
  if (own === undefined) map.set(address, new Set([laid]));
  else own.add(laid);
}

function leave(map: Map<Address, Set<AppliedTrace>>, address: Address, laid: AppliedTrace): void {
  const own = map.get(address);
  own?.delete(laid);
  if (own?.size === 0) map.delete(address);
}
