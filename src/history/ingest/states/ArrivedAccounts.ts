import { inParallel } from "../../../lib/sharing/inParallel.ts";
import type { Address } from "../../../model/Address.ts";
import type { AccountAfter } from "../decode/DecodedBatch.ts";
import type { StateLookups } from "./AccountReader.ts";

/** Accounts that a chain has from another one: no transaction of its own mentions them. */
export interface ArrivedAccounts {
  /** Those that came, without the first ones, in the order in which they came; more come at the end. */
  list(from: number): readonly Address[];
  /** An account as it came; nothing once the chain has changed it, because then its transactions give its rows. */
  find(address: Address, signal: AbortSignal): Promise<AccountAfter | undefined>;
}

/** How many accounts are read at the same time. */
const atATime = 8;

/** The accounts that came and are not in the tables yet, each once. */
export class NewArrivals {
  readonly #arrived: ArrivedAccounts;
  readonly #lookups: Pick<StateLookups, "findStates">;
  #count = 0;

  constructor(arrived: ArrivedAccounts, lookups: Pick<StateLookups, "findStates">) {
    this.#arrived = arrived;
    this.#lookups = lookups;
  }

  /** Those that came since the last call; of the first one all, as after a restart. */
  async take(signal: AbortSignal): Promise<readonly AccountAfter[]> {
    const came = this.#arrived.list(this.#count);
    this.#count += came.length;
    if (came.length === 0) return [];
    const stored = await this.#lookups.findStates(came, signal);
    const fresh = came.filter((address) => !stored.has(address));
    const found = await inParallel(fresh, atATime, (address) => this.#arrived.find(address, signal));
    return found.filter((each) => each !== undefined);
  }
}
