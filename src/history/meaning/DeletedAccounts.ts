import { weighCells } from "../../cell/weighCells.ts";
import { Lru } from "../../lib/lru.ts";
import type { Address } from "../../model/Address.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { PastAccount } from "./KnownEntities.ts";

/** The overhead of an entry, with the rows of an account. */
const entryBytes = 1_000;

/** The memory of an account of the past: its code and data may keep a whole block or answer alive. */
export function weighPast({ found }: { readonly found: PastAccount | undefined }): number {
  return entryBytes + weighCells(found?.account.code, found?.account.data);
}

/** An account before the block that deleted it. */
export interface DeletedAccount extends PastAccount {
  readonly address: Address;
}

/**
 * What accounts were before a block deleted them. An index of the whole chain has their last rows; one with a scope may
 * have none, and what an account was decides what its last transaction meant.
 */
export class DeletedAccounts {
  readonly #look: (address: Address, mcSeqno: number) => Promise<PastAccount | undefined>;
  readonly #known: Lru<string, { readonly found: PastAccount | undefined }>;

  /** `look` returns an account with its entities after a masterchain block. */
  constructor(look: (address: Address, mcSeqno: number) => Promise<PastAccount | undefined>, maxBytes: number) {
    this.#look = look;
    this.#known = new Lru({ maxBytes, sizeOf: weighPast });
  }

  /** The accounts that transactions deleted, as they were before. */
  async list(transactions: readonly TraceTransaction[]): Promise<readonly DeletedAccount[]> {
    const deleted = new Map<string, { readonly account: Address; readonly mcSeqno: number }>();
    for (const { account, mcSeqno, origStatus, endStatus } of transactions)
      if (origStatus === "active" && endStatus !== "active") deleted.set(`${account} ${mcSeqno}`, { account, mcSeqno });
    const all: DeletedAccount[] = [];
    for (const [key, { account, mcSeqno }] of deleted) {
      const known = this.#known.find(key) ?? { found: await this.#look(account, mcSeqno - 1) };
      this.#known.set(key, known);
      if (known.found !== undefined) all.push({ address: account, ...known.found });
    }
    return all;
  }
}
