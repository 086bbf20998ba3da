import type { AccountNow } from "../../../chain/accounts.ts";
import { findData } from "../../../chain/accounts.ts";
import { bool, int } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { balance, stateWord } from "./balances.ts";
import { blockIdExt, extraCurrencies, maybeBag, maybeBoc, orEmpty, transactionId } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";

const maybeHash = orEmpty(hash64);

export function frozenHash({ content }: AccountNow): Hash | undefined {
  return content.kind === "frozen" ? content.stateHash : undefined;
}

export interface WithAccount {
  readonly account: AccountNow;
}

/** What an account has, and when. */
export const balanceFields = {
  balance: balance("Balance, in nanocoins.", ({ account }: WithAccount) => account),
  extra_currencies: extraCurrencies(
    "Amounts of other currencies in their smallest units, by number of the currency.",
    ({ account }: WithAccount) => account.balance.extra,
  ),
  last_transaction_id: transactionId(
    "Last transaction of the account, by logical time and hash.",
    ({ account }: WithAccount) => account.lastTransaction,
  ),
  block_id: blockIdExt("Masterchain block at which the account was read.", ({ account }: WithAccount) => account.block),
};

export interface ShownAccount extends WithAccount {
  /** Its code as a bag. */
  readonly code: Uint8Array | undefined;
  readonly suspended: boolean;
}

export const rawFullAccountState = typed<ShownAccount>()("raw.fullAccountState", {
  ...balanceFields,
  code: maybeBag("Code of the account as a bag of cells in base64; empty without code.", ({ code }) => code),
  data: maybeBoc("Data of the account as a bag of cells in base64; empty without data.", ({ account }) =>
    findData(account),
  ),
  frozen_hash: maybeHash("Hash of the state that a frozen account had, in base64; empty for others.", ({ account }) =>
    frozenHash(account),
  ),
  sync_utime: int("Time of the block of the answer, in Unix seconds.", ({ account }) => account.syncAt),
  state: stateWord("Status of the account.", ({ account }) => account),
  suspended: bool("Whether the configuration forbids the account to send.", (shown) => shown.suspended),
});
