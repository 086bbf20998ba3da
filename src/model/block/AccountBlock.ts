import { augmentedDictionary, inlineAugmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { ref, tagged, type ValueOf } from "../../cell/codec.ts";
import { bigUintKey, hashKey } from "../../cell/keys.ts";
import { linked } from "../../cell/linked.ts";
import { currencySum } from "../Currency.ts";
import { hash } from "../Hash.ts";
import { HashUpdate, Transaction } from "../Transaction.ts";

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
//   state_update:^(HASH_UPDATE Account) = AccountBlock;
export const AccountBlock = tagged(
  "#5",
  {
    account: hash,
    /** By logical time. */
    transactions: inlineAugmentedDictionary(bigUintKey(64), linked(Transaction), currencySum),
    stateUpdate: ref(HashUpdate),
  },
  (f, s) => ({
    account: f.account.load(s),
    transactions: f.transactions.load(s),
    stateUpdate: f.stateUpdate.load(s),
  }),
);
export type AccountBlock = ValueOf<typeof AccountBlock>;

// _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
export const ShardAccountBlocks = augmentedDictionary(hashKey, AccountBlock, currencySum);
export type ShardAccountBlocks = ValueOf<typeof ShardAccountBlocks>;
