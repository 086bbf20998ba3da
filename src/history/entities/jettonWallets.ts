import { address, amount, bool, int53, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { distributedBy } from "../store/schema/placement.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, nullableStateColumns } from "./sharedColumns.ts";

export const jettonWallets = table("jetton_wallets", {
  ...listedColumns,
  balance: amount,
  owner: address,
  jetton: address,
  ...nullableStateColumns,
  mintlessIsClaimed: nullable(bool),
  mintlessAmount: nullable(amount),
  mintlessStartFrom: nullable(int53),
  mintlessExpireAt: nullable(int53),
});

/** The share of an airdrop that a wallet may claim; it is in a tree outside the chain. */
const airdropColumns = ["mintlessAmount", "mintlessStartFrom", "mintlessExpireAt"] as const;

export const jettonWalletEntity = indexedEntity({
  table: jettonWallets,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(airdropColumns),
  placement: distributedBy("address"),
  notVerified: ["id", ...airdropColumns],
  rows: {
    jettonWallet: (jettonWallet, place) => [
      {
        balance: jettonWallet.balance,
        owner: jettonWallet.owner,
        jetton: jettonWallet.jetton,
        mintlessIsClaimed: jettonWallet.isClaimed,
        mintlessAmount: undefined,
        mintlessStartFrom: undefined,
        mintlessExpireAt: undefined,
        ...place,
      },
    ],
  },
  facts: { findJettonWallet: (row) => row },
});
