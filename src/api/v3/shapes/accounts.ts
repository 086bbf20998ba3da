import type { PlainWallet } from "../../../contracts/families/wallet/PlainWallet.ts";
import type { AccountBalance, LatestAccount } from "../../../history/queries/accounts.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { accountStatus, address, boc, extraCurrencies, hash, named } from "./scalars.ts";

/** Whether an account is on the list of the configuration, which all forms of an account have. */
export const suspended = <T>(read: (shown: T) => boolean) =>
  bool<T>("Whether the configuration forbids the account to send.", read);

/** An account without transactions has no last transaction, not one at lt zero. */
const lastTransaction = {
  last_transaction_hash: nullable(hash)(
    "Hash of the account's last transaction, in base64; null without one.",
    ({ row }: LatestAccount) => row.lastTransHash,
  ),
  last_transaction_lt: nullable(decimal)(
    "Logical time of the account's last transaction; null without one.",
    ({ row }: LatestAccount) => (row.lastTransHash === undefined ? undefined : row.lastTransLt),
  ),
};

export interface ListedAccount extends LatestAccount {
  readonly withBoc: boolean;
  readonly isSuspended: boolean;
}

/** The newest state of an account. */
export const accountStateFull = named(
  "AccountStateFull",
  shape<ListedAccount>()({
    address: address("Address of the account, in raw form.", (s) => s.row.account),
    account_state_hash: hash("Hash of the cell of the account's state, in base64.", (s) => s.row.hash),
    balance: decimal("Balance, in nanocoins.", (s) => s.row.balance),
    extra_currencies: extraCurrencies(
      "Amounts of other currencies in their smallest units, by number of the currency.",
      (s) => s.row.balanceExtra,
    ),
    status: accountStatus("Status of the account: `active`, `uninit`, `frozen` or `nonexist`.", (s) => s.row.status),
    frozen_hash: omittable(hash)(
      "Hash of the state that a frozen account had, in base64; absent for others.",
      (s) => s.row.frozenHash,
    ),
    ...lastTransaction,
    data_hash: omittable(hash)("Hash of the data cell, in base64; absent without data.", (s) => s.row.dataHash),
    code_hash: omittable(hash)("Hash of the code cell, in base64; absent without code.", (s) => s.row.codeHash),
    data_boc: omittable(boc)(
      "Data of the account as a bag of cells in base64; absent without data, and where it was not asked for.",
      (s) => (s.withBoc ? s.row.dataBoc : undefined),
    ),
    code_boc: omittable(boc)(
      "Code of the account as a bag of cells in base64; absent without code, and where it was not asked for.",
      (s) => (s.withBoc ? s.codeBoc : undefined),
    ),
    contract_methods: nullable(list(int))("Numbers of the contract's get-methods.", (s) => s.methods),
    interfaces: list(text)(
      "Names of the contract types that the account implements, such as `wallet_v5r1`.",
      (s) => s.interfaces,
    ),
    suspended: suspended((s) => s.isSuspended),
  }),
);

export interface ShownWallet extends LatestAccount {
  readonly wallet: PlainWallet | undefined;
  readonly isSuspended: boolean;
}

/** An account as a wallet, if it is one. */
export const walletState = named(
  "WalletState",
  shape<ShownWallet>()({
    address: address("Address of the account, in raw form.", (s) => s.row.account),
    is_wallet: bool("Whether the account is a wallet of a known version.", (s) => s.wallet !== undefined),
    wallet_type: omittable(text)("Version of the wallet.", (s) => s.wallet?.type),
    seqno: omittable(int)("Counter of the wallet: its next message must carry it.", (s) => s.wallet?.seqno),
    wallet_id: omittable(int)("Id of the wallet, which is part of what it signs.", (s) => s.wallet?.walletId),
    balance: omittable(decimal)("Balance, in nanocoins.", (s) => s.row.balance),
    extra_currencies: omittable(extraCurrencies)(
      "Amounts of other currencies in their smallest units, by number of the currency.",
      (s) => s.row.balanceExtra,
    ),
    is_signature_allowed: omittable(bool)(
      "Whether the wallet accepts signed messages.",
      (s) => s.wallet?.isSignatureAllowed,
    ),
    status: omittable(accountStatus)(
      "Status of the account: `active`, `uninit`, `frozen` or `nonexist`.",
      (s) => s.row.status,
    ),
    code_hash: omittable(hash)("Hash of the code cell, in base64.", (s) => s.row.codeHash),
    ...lastTransaction,
    suspended: suspended((s) => s.isSuspended),
  }),
);

/** The balance of an account. */
export const accountBalance = named(
  "AccountBalance",
  shape<AccountBalance>()({
    account: address("Address of the account, in raw form.", (b) => b.account),
    balance: decimal("Balance, in nanocoins.", (b) => b.balance),
  }),
);
