import { Type } from "typebox";
import type { AccountNow } from "../../../chain/accounts.ts";
import { findData } from "../../../chain/accounts.ts";
import type { IdentifiedContract } from "../../../chain/knownContracts.ts";
import type { PlainWallet } from "../../../contracts/families/wallet/PlainWallet.ts";
import { bool, decimal, field, int, omittable, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { contractState } from "./contracts.ts";
import {
  blockIdExt,
  extraCurrencies,
  flaggedAccountAddress,
  int32,
  maybeBag,
  maybeBoc,
  orEmpty,
  transactionId,
} from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";
import type { FlaggedAddress } from "./utils.ts";

const stateWords = ["uninitialized", "active", "frozen"] as const;

function wordOf({ content }: AccountNow): (typeof stateWords)[number] {
  if (content.kind === "frozen") return "frozen";
  return content.kind === "active" && content.code !== undefined ? "active" : "uninitialized";
}

/** Frozen, active, or neither. */
export const stateWord = field({
  schema: Type.Union(stateWords.map((word) => Type.Literal(word))),
  encode: wordOf,
});

/** The balance in nanocoins. */
export const balance = field({ schema: decimal.schema, encode: (account: AccountNow) => `${account.balance.coins}` });

const maybeHash = orEmpty(hash64);

export function frozenHash({ content }: AccountNow): Hash | undefined {
  return content.kind === "frozen" ? content.stateHash : undefined;
}

export interface ShownAccount {
  readonly account: AccountNow;
  /** Its code as a bag. */
  readonly code: Uint8Array | undefined;
  readonly suspended: boolean;
}

export const rawFullAccountState = typed<ShownAccount>()("raw.fullAccountState", {
  balance: balance(({ account }) => account),
  extra_currencies: extraCurrencies(({ account }) => account.balance.extra),
  last_transaction_id: transactionId(({ account }) => account.lastTransaction),
  block_id: blockIdExt(({ account }) => account.block),
  code: maybeBag(({ code }) => code),
  data: maybeBoc(({ account }) => findData(account)),
  frozen_hash: maybeHash(({ account }) => frozenHash(account)),
  sync_utime: int(({ account }) => account.syncAt),
  state: stateWord(({ account }) => account),
  suspended: bool((shown) => shown.suspended),
});

export interface KnownAccount {
  readonly address: FlaggedAddress;
  readonly account: AccountNow;
  readonly known: IdentifiedContract;
}

export const fullAccountState = typed<KnownAccount>()("fullAccountState", {
  address: flaggedAccountAddress(({ address }) => address),
  balance: balance(({ account }) => account),
  extra_currencies: extraCurrencies(({ account }) => account.balance.extra),
  last_transaction_id: transactionId(({ account }) => account.lastTransaction),
  block_id: blockIdExt(({ account }) => account.block),
  sync_utime: int(({ account }) => account.syncAt),
  account_state: contractState(({ account, known }) => ({ account, contract: known.contract })),
  revision: int(({ known }) => known.revision),
});

export interface WalletAccount {
  readonly account: AccountNow;
  readonly wallet: PlainWallet | undefined;
}

export const walletInformation = typed<WalletAccount>()("ext.accounts.walletInformation", {
  wallet: bool(({ wallet }) => wallet !== undefined),
  balance: balance(({ account }) => account),
  account_state: stateWord(({ account }) => account),
  last_transaction_id: transactionId(({ account }) => account.lastTransaction),
  wallet_type: omittable(text)(({ wallet }) => wallet?.type),
  seqno: omittable(int32)(({ wallet }) => wallet?.seqno),
  wallet_id: omittable(int32)(({ wallet }) => wallet?.walletId),
  is_signature_allowed: omittable(bool)(({ wallet }) => wallet?.isSignatureAllowed),
});
