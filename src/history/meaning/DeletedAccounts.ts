import { Lru } from "../../lib/lru.ts";
import type { Address } from "../../model/Address.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import type { PastAccount } from "./KnownEntities.ts";

/** Memory for deleted accounts, in accounts. */
const mostKept = 1_000;

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
  readonly #known = new Lru<string, { readonly found: PastAccount | undefined }>({
    maxBytes: mostKept,
    sizeOf: () => 1,
  });

  /** `look` returns an account with its entities after a masterchain block. */
  constructor(look: (address: Address, mcSeqno: number) => Promise<PastAccount | undefined>) {
    this.#look = look;
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
