import { augmentedDictionary } from "../cell/augmentedDictionary.ts";
import { maybe, struct, uint32, uint64, uint256, union, upTo, type ValueOf, variant } from "../cell/codec.ts";
import { hashKey } from "../cell/keys.ts";
import { linked } from "../cell/linked.ts";
import { addCurrency, Coins, CurrencyCollection, exchangeCurrency, noCurrency } from "./Currency.ts";
import { hash } from "./Hash.ts";
import { internalAddress } from "./messageAddress.ts";
import { StorageUsed } from "./phases.ts";
import { StateInit } from "./StateInit.ts";

// storage_extra_none$000 = StorageExtraInfo; storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
// Before global version 11 the three bits were the length of a third, always empty, counter of StorageUsed.
export const StorageExtra = union({ none: ["$000", {}], info: ["$001", { dictHash: uint256 }] });

// storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;
export const StorageInfo = struct(
  { used: StorageUsed, extra: StorageExtra, lastPaid: uint32, duePayment: maybe(Coins) },
  (f, s) => ({
    used: f.used.load(s),
    extra: f.extra.load(s),
    lastPaid: f.lastPaid.load(s),
    duePayment: f.duePayment.load(s),
  }),
);
export type StorageInfo = ValueOf<typeof StorageInfo>;

// account_uninit$00 = AccountState; account_active$1 _:StateInit = AccountState;
// account_frozen$01 state_hash:bits256 = AccountState;
export const AccountState = union({
  uninit: ["$00", {}],
  active: variant("$1", { init: StateInit }, (f, s) => ({ kind: "active", init: f.init.load(s) })),
  frozen: ["$01", { stateHash: hash }],
});
export type AccountState = ValueOf<typeof AccountState>;

// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export const AccountStorage = struct(
  { lastTransactionLt: uint64, balance: CurrencyCollection, state: AccountState },
  (f, s) => ({
    lastTransactionLt: f.lastTransactionLt.load(s),
    balance: f.balance.load(s),
    state: f.state.load(s),
  }),
);

// account_none$0 = Account;
// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
export const Account = union({
  none: ["$0", {}],
  account: variant("$1", { address: internalAddress, storageInfo: StorageInfo, storage: AccountStorage }, (f, s) => ({
    kind: "account",
    address: f.address.load(s),
    storageInfo: f.storageInfo.load(s),
    storage: f.storage.load(s),
  })),
});
export type Account = ValueOf<typeof Account>;

// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
export const ShardAccount = struct(
  { account: linked(Account), lastTransactionHash: hash, lastTransactionLt: uint64 },
  (f, s) => ({
    account: f.account.load(s),
    lastTransactionHash: f.lastTransactionHash.load(s),
    lastTransactionLt: f.lastTransactionLt.load(s),
  }),
);
export type ShardAccount = ValueOf<typeof ShardAccount>;

// depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
export const DepthBalance = struct({ splitDepth: upTo(30), balance: CurrencyCollection }, (f, s) => ({
  splitDepth: f.splitDepth.load(s),
  balance: f.balance.load(s),
}));
export type DepthBalance = ValueOf<typeof DepthBalance>;

const depthBalanceSum = {
  codec: DepthBalance,
  empty: { splitDepth: 0, balance: noCurrency },
  combine: (a: DepthBalance, b: DepthBalance): DepthBalance => ({
    splitDepth: Math.max(a.splitDepth, b.splitDepth),
    balance: addCurrency(a.balance, b.balance),
  }),
  exchange: (total: DepthBalance, before: DepthBalance, after: DepthBalance): DepthBalance => ({
    // No lower than before: the depth of the others is not known.
    splitDepth: Math.max(total.splitDepth, after.splitDepth),
    balance: exchangeCurrency(total.balance, before.balance, after.balance),
  }),
};

// _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
export const ShardAccounts = augmentedDictionary(hashKey, ShardAccount, depthBalanceSum);
export type ShardAccounts = ValueOf<typeof ShardAccounts>;
