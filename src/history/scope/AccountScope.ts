import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import type { Scope } from "./Scope.ts";

/** An account with the code that it has. */
export interface CodedAccount {
  readonly address: Address;
  readonly codeHash: Hash | undefined;
}

/** The accounts of a scope, for fast lookups. */
export class AccountScope {
  /** Those that the scope names: all their transactions are in the index. */
  readonly #named: ReadonlySet<Address>;
  readonly #jettons: ReadonlySet<Address>;
  readonly #collections: ReadonlySet<Address>;
  readonly #codes: ReadonlySet<Hash>;

  constructor({ accounts, jettons, collections, codeHashes }: Scope) {
    this.#named = new Set([...accounts, ...jettons, ...collections]);
    this.#jettons = new Set(jettons);
    this.#collections = new Set(collections);
    this.#codes = new Set(codeHashes);
  }

  /** Whether the scope names the account itself, or as a jetton or a collection. */
  names(address: Address): boolean {
    return this.#named.has(address);
  }

  hasJetton(address: Address): boolean {
    return this.#jettons.has(address);
  }

  hasCollection(address: Address): boolean {
    return this.#collections.has(address);
  }

  hasCode(hash: Hash): boolean {
    return this.#codes.has(hash);
  }

  /** The accounts in the scope among those of a block: named ones, and others by their code or by what they are. */
  find(
    accounts: readonly Address[],
    coded: readonly CodedAccount[],
    entities: Pick<EntityRows, "jettonWallets" | "nftItems">,
  ): ReadonlySet<Address> {
    const found = new Set(accounts.filter((address) => this.#named.has(address)));
    for (const { address, codeHash } of coded) {
      const isInside = this.#named.has(address) || (codeHash !== undefined && this.#codes.has(codeHash));
      if (isInside) found.add(address);
    }
    for (const { address, jetton } of entities.jettonWallets) if (this.#jettons.has(jetton)) found.add(address);
    for (const { address, collectionAddress } of entities.nftItems)
      if (collectionAddress !== undefined && this.#collections.has(collectionAddress)) found.add(address);
    return found;
  }
}
