import type { PlainWallet } from "../../../contracts/families/wallet/PlainWallet.ts";
import type { AccountBalance, LatestAccount } from "../../../history/queries/accounts.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, boc, extraCurrencies, hash, named, word } from "./scalars.ts";

const status = word("uninit", "frozen", "active", "nonexist");

/** An account without transactions has no last transaction, not one at lt zero. */
function lastLt({ lastTransHash, lastTransLt }: LatestAccount["row"]): bigint | undefined {
  return lastTransHash === undefined ? undefined : lastTransLt;
}

export interface ListedAccount {
  readonly account: LatestAccount;
  readonly withBoc: boolean;
}

/** The newest state of an account. */
export const accountStateFull = named(
  "AccountStateFull",
  shape<ListedAccount>()({
    address: address((s) => s.account.row.account),
    account_state_hash: hash((s) => s.account.row.hash),
    balance: decimal((s) => s.account.row.balance),
    extra_currencies: extraCurrencies((s) => s.account.row.balanceExtra),
    status: status((s) => s.account.row.status),
    frozen_hash: omittable(hash)((s) => s.account.row.frozenHash),
    last_transaction_hash: nullable(hash)((s) => s.account.row.lastTransHash),
    last_transaction_lt: nullable(decimal)((s) => lastLt(s.account.row)),
    data_hash: omittable(hash)((s) => s.account.row.dataHash),
    code_hash: omittable(hash)((s) => s.account.row.codeHash),
    data_boc: omittable(boc)((s) => (s.withBoc ? s.account.row.dataBoc : undefined)),
    code_boc: omittable(boc)((s) => (s.withBoc ? s.account.codeBoc : undefined)),
    contract_methods: nullable(list(int))((s) => s.account.methods),
    interfaces: list(text)((s) => s.account.interfaces),
  }),
);

export interface ShownWallet {
  readonly account: LatestAccount;
  readonly wallet: PlainWallet | undefined;
}

/** An account as a wallet, if it is one. */
export const walletState = named(
  "WalletState",
  shape<ShownWallet>()({
    address: address((s) => s.account.row.account),
    is_wallet: bool((s) => s.wallet !== undefined),
    wallet_type: omittable(text)((s) => s.wallet?.type),
    seqno: omittable(int)((s) => s.wallet?.seqno),
    wallet_id: omittable(int)((s) => s.wallet?.walletId),
    balance: omittable(decimal)((s) => s.account.row.balance),
    extra_currencies: omittable(extraCurrencies)((s) => s.account.row.balanceExtra),
    is_signature_allowed: omittable(bool)((s) => s.wallet?.isSignatureAllowed),
    status: omittable(status)((s) => s.account.row.status),
    code_hash: omittable(hash)((s) => s.account.row.codeHash),
    last_transaction_hash: nullable(hash)((s) => s.account.row.lastTransHash),
    last_transaction_lt: nullable(decimal)((s) => lastLt(s.account.row)),
  }),
);

/** The balance of an account. */
export const accountBalance = named(
  "AccountBalance",
  shape<AccountBalance>()({ account: address((b) => b.account), balance: decimal((b) => b.balance) }),
);
