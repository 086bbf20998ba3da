import { type AuctionFilter, auctionsSql, inactiveSql } from "../../../../src/history/queries/auctions.ts";
import { type DnsFilter, dnsRecordsSql } from "../../../../src/history/queries/dns.ts";
import { collectionsOfSql, holdingSalesSql, itemsAtSql } from "../../../../src/history/queries/fill/fillItems.ts";
import {
  type JettonMasterFilter,
  type JettonWalletFilter,
  jettonMastersSql,
  jettonWalletsSql,
  mintlessMastersSql,
} from "../../../../src/history/queries/jettons.ts";
import type { Page } from "../../../../src/history/queries/kit/Page.ts";
import {
  type MultisigFilter,
  type MultisigOrderFilter,
  multisigOrdersSql,
  multisigsSql,
  ordersOfSql,
} from "../../../../src/history/queries/multisig.ts";
import { nftSalesSql } from "../../../../src/history/queries/nftSales.ts";
import {
  type NftCollectionFilter,
  type NftItemFilter,
  nftCollectionsSql,
  nftItemsSql,
} from "../../../../src/history/queries/nfts.ts";
import { nominationsSql, poolSql, poolStateSql } from "../../../../src/history/queries/staking/nominatorPools.ts";
import type { NominatorEventFilter, ValidatorEventFilter } from "../../../../src/history/queries/staking/poolEvents.ts";
import { nominatorEventsSql, validatorEventsSql } from "../../../../src/history/queries/staking/poolEvents.ts";
import type { TokenEventFilter } from "../../../../src/history/queries/tokenEvents.ts";
import { jettonBurnsSql, jettonTransfersSql, nftTransfersSql } from "../../../../src/history/queries/tokenEvents.ts";
import { type VestingFilter, vestingSql, whitelistsSql } from "../../../../src/history/queries/vesting.ts";
import type { TableLayout } from "../../../../src/history/store/Database.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import type { PlanCases } from "../../../kit/history/explain.ts";

const page: Page = { limit: 10, offset: 5 };
const one = makeAddress(0, sameDigits("1"));
const other = makeAddress(-1, sameDigits("2"));
const both = [one, other];
const many = ["3", "4", "5", "6", "7", "8"].map((digit) => makeAddress(0, sameDigits(digit)));

/** Statements about tokens, names, multisig wallets and vesting. */
export function tokenPlans(layout?: TableLayout): PlanCases {
  const masters = (filter: Partial<JettonMasterFilter>) =>
    jettonMastersSql({ addresses: [], admins: [], ...filter }, page);
  const wallets = (filter: Partial<JettonWalletFilter>, sort?: "asc" | "desc") =>
    jettonWalletsSql({ addresses: [], owners: [], jettons: [], ...filter }, page, sort, layout);
  const transfers = (filter: Partial<TokenEventFilter>, sort: "asc" | "desc" = "desc") =>
    jettonTransfersSql({ owners: [], holders: [], ...filter }, page, sort, layout);
  const burns = (filter: Partial<TokenEventFilter>) =>
    jettonBurnsSql({ owners: [], holders: [], ...filter }, page, "desc", layout);
  const collections = (filter: Partial<NftCollectionFilter>) =>
    nftCollectionsSql({ addresses: [], owners: [], ...filter }, page);
  const items = (filter: Partial<NftItemFilter>) =>
    nftItemsSql({ addresses: [], owners: [], collections: [], indexes: [], ...filter }, page, layout);
  const nftMoves = (filter: Partial<TokenEventFilter>) =>
    nftTransfersSql({ owners: [], holders: [], ...filter }, page, "desc", layout);
  const multisigs = (filter: Partial<MultisigFilter>) =>
    multisigsSql({ addresses: [], members: [], ...filter }, page, "desc");
  const orders = (filter: Partial<MultisigOrderFilter>) =>
    multisigOrdersSql({ addresses: [], multisigs: [], ...filter }, page, "asc");
  const auctions = (filter: Partial<AuctionFilter>) =>
    auctionsSql({ bidder: one, state: "all", now: 1_700_000_000, ...filter }, page);
  const poolEvents = (filter: Partial<NominatorEventFilter>) => nominatorEventsSql({ pool: other, ...filter }, page);
  const ownerEvents = (filter: ValidatorEventFilter) => validatorEventsSql(filter, page);
  const dns = (filter: DnsFilter) => dnsRecordsSql(filter, page);
  const vesting = (filter: VestingFilter) => vestingSql(filter, page);

  return {
    jettonMastersSql: {
      all: { statement: masters({}), walks: true },
      "by address": { statement: masters({ addresses: both }), sorts: true },
      "by admin": { statement: masters({ admins: [one] }) },
      "by admins": { statement: masters({ admins: both }), sorts: true },
      "by address and admins": { statement: masters({ addresses: both, admins: both }), sorts: true },
    },
    jettonWalletsSql: {
      all: { statement: wallets({}), walks: true },
      "all by balance": { statement: wallets({}, "desc"), walks: true },
      "all that have something": { statement: wallets({ excludeZeroBalance: true }), walks: true, sorts: true },
      "all that have something, the poorest first": {
        statement: wallets({ excludeZeroBalance: true }, "asc"),
        walks: true,
        sorts: true,
      },
      "by address": { statement: wallets({ addresses: both }), sorts: true },
      "by address, owners and jetton": {
        statement: wallets({ addresses: both, owners: both, jettons: [one], excludeZeroBalance: true }, "desc"),
        sorts: true,
      },
      "of an owner": { statement: wallets({ owners: [one] }) },
      "of an owner by balance": { statement: wallets({ owners: [one] }, "desc") },
      "of owners": { statement: wallets({ owners: both }), sorts: true },
      "of owners by balance": { statement: wallets({ owners: both, excludeZeroBalance: true }, "desc"), sorts: true },
      "of an owner and a jetton": { statement: wallets({ owners: [one], jettons: [other] }) },
      "of owners and a jetton": { statement: wallets({ owners: both, jettons: [other] }), sorts: true },
      "of many owners and a jetton by balance": {
        statement: wallets({ owners: many, jettons: [other], excludeZeroBalance: true }, "desc"),
        sorts: true,
      },
      "of an owner and jettons": { statement: wallets({ owners: [one], jettons: both }), sorts: true },
      "of a jetton": { statement: wallets({ jettons: [one] }) },
      "of a jetton by balance": { statement: wallets({ jettons: [one] }, "desc") },
      "of a jetton that have something": {
        statement: wallets({ jettons: [one], excludeZeroBalance: true }, "desc"),
        sorts: true,
      },
    },
    mintlessMastersSql: { some: { statement: mintlessMastersSql(both) } },
    jettonTransfersSql: {
      all: { statement: transfers({}), walks: true },
      "all from the first on": { statement: transfers({}, "asc"), walks: true },
      "by time": { statement: transfers({ startUtime: 1 }) },
      "by logical time": { statement: transfers({ startLt: 1n, endLt: 9n }) },
      "of an owner": { statement: transfers({ owners: [one] }), sorts: true },
      "sent by an owner": { statement: transfers({ owners: [one], side: "out" }) },
      "received by an owner by time": { statement: transfers({ owners: [one], side: "in", endUtime: 9 }) },
      "of owners": { statement: transfers({ owners: both }), sorts: true },
      "of owners by time": { statement: transfers({ owners: both, startUtime: 1 }), sorts: true },
      "of many owners": { statement: transfers({ owners: many }), sorts: true },
      "of many owners by time": { statement: transfers({ owners: many, startUtime: 1 }, "asc"), sorts: true },
      "of owners and a jetton": { statement: transfers({ owners: both, issuer: one }), sorts: true },
      "sent by an owner of a jetton by time": {
        statement: transfers({ owners: [one], side: "out", issuer: one, startUtime: 1 }),
        by: "jetton_transfers_by_source_master_time",
      },
      "received by an owner of a jetton by time": {
        statement: transfers({ owners: [one], side: "in", issuer: one, endUtime: 9 }, "asc"),
        by: "jetton_transfers_by_destination_master_time",
      },
      "from a wallet": { statement: transfers({ holders: [one] }) },
      "from a wallet by time": { statement: transfers({ holders: [one], startUtime: 1 }) },
      "from wallets": { statement: transfers({ holders: both, owners: [one], issuer: one }), sorts: true },
      "of a jetton": { statement: transfers({ issuer: one }) },
      "of a jetton by time": { statement: transfers({ issuer: one, startUtime: 1, endUtime: 9 }) },
    },
    jettonBurnsSql: {
      all: { statement: burns({}), walks: true },
      "by time": { statement: burns({ endUtime: 1 }) },
      "of an owner": { statement: burns({ owners: [one] }) },
      "of an owner by time": { statement: burns({ owners: [one], startUtime: 1 }) },
      "of owners": { statement: burns({ owners: both }), sorts: true },
      "of an owner and a jetton": {
        statement: burns({ owners: [one], issuer: one }),
        by: "jetton_burns_by_owner_master",
      },
      "of an owner and a jetton by time": {
        statement: burns({ owners: [one], issuer: one, startUtime: 1 }),
        by: "jetton_burns_by_owner_master_time",
      },
      "from a wallet": { statement: burns({ holders: [one] }) },
      "from a wallet by time": { statement: burns({ holders: [one], startUtime: 1 }) },
      "from wallets": { statement: burns({ holders: both, owners: [one] }), sorts: true },
      "of a jetton": { statement: burns({ issuer: one }) },
      "of a jetton by time": { statement: burns({ issuer: one, startUtime: 1 }) },
    },
    nftCollectionsSql: {
      all: { statement: collections({}), walks: true },
      "by address": { statement: collections({ addresses: both, owners: both }), sorts: true },
      "of an owner": { statement: collections({ owners: [one] }) },
      "of owners": { statement: collections({ owners: both }), sorts: true },
    },
    nftItemsSql: {
      all: { statement: items({}), walks: true },
      "all by last change": { statement: items({ isByLastLt: true }), walks: true },
      "by address": { statement: items({ addresses: both }), sorts: true },
      "of an owner": { statement: items({ owners: [one] }) },
      "of an owner by last change": { statement: items({ owners: [one], isByLastLt: true }) },
      "of an owner, on sale too": { statement: items({ owners: [one], includeOnSale: true }) },
      "of an owner, on sale too, by last change": {
        statement: items({ owners: [one], includeOnSale: true, isByLastLt: true }),
      },
      "of owners": { statement: items({ owners: both }), sorts: true },
      "of many owners by last change": { statement: items({ owners: many, isByLastLt: true }), sorts: true },
      "of owners by last change": { statement: items({ owners: both, isByLastLt: true }), sorts: true },
      "of an owner and a collection": { statement: items({ owners: [one], collections: [one] }) },
      "of owners and a collection": { statement: items({ owners: both, collections: [one] }), sorts: true },
      "of an owner and collections": { statement: items({ owners: [one], collections: both }), sorts: true },
      "of a collection": { statement: items({ collections: [one] }) },
      "of a collection by last change": { statement: items({ collections: [one], isByLastLt: true }) },
      "by index": { statement: items({ collections: [one], indexes: ["1", "2"] }), sorts: true },
    },
    collectionsOfSql: { some: { statement: collectionsOfSql(both) } },
    holdingSalesSql: { some: { statement: holdingSalesSql(both) } },
    nftSalesSql: { some: { statement: nftSalesSql(both), sorts: true } },
    itemsAtSql: { some: { statement: itemsAtSql(both) } },
    nftTransfersSql: {
      all: { statement: nftMoves({}), walks: true },
      "by time": { statement: nftMoves({ startUtime: 1 }) },
      "of an owner": { statement: nftMoves({ owners: [one] }), sorts: true },
      "got by an owner": { statement: nftMoves({ owners: [one], side: "in" }) },
      "given by an owner by time": { statement: nftMoves({ owners: [one], side: "out", startUtime: 1 }) },
      "of owners": { statement: nftMoves({ owners: both, issuer: one }), sorts: true },
      "given by an owner of a collection": {
        statement: nftMoves({ owners: [one], side: "out", issuer: one }),
        by: "nft_transfers_by_old_owner_collection",
      },
      "given by an owner of a collection by time": {
        statement: nftMoves({ owners: [one], side: "out", issuer: one, startUtime: 1 }),
        by: "nft_transfers_by_old_owner_collection_time",
      },
      "got by an owner of a collection": {
        statement: nftMoves({ owners: [one], side: "in", issuer: one }),
        by: "nft_transfers_by_new_owner_collection",
      },
      "got by an owner of a collection by time": {
        statement: nftMoves({ owners: [one], side: "in", issuer: one, endUtime: 9 }),
        by: "nft_transfers_by_new_owner_collection_time",
      },
      "of an item": { statement: nftMoves({ holders: [one] }) },
      "of an item by time": { statement: nftMoves({ holders: [one], startUtime: 1 }) },
      "of items": { statement: nftMoves({ holders: both, owners: [one], side: "in" }), sorts: true },
      "of a collection": { statement: nftMoves({ issuer: one }) },
      "of a collection by time": { statement: nftMoves({ issuer: one, endUtime: 1 }) },
    },
    poolSql: { "of a pool": { statement: poolSql(other) } },
    poolStateSql: { "of an account": { statement: poolStateSql(other) } },
    nominationsSql: {
      "of a nominator": { statement: nominationsSql(one), sorts: true, by: "nominator_pools_by_nominator" },
    },
    nominatorEventsSql: {
      "of a pool": { statement: poolEvents({}) },
      "of a pool in a time": { statement: poolEvents({ startUtime: 1, endUtime: 2 }) },
      "of a nominator": { statement: poolEvents({ nominator: one }), by: "nominator_pool_events_by_nominator" },
      rewards: {
        statement: poolEvents({ nominator: one, type: "reward", startUtime: 1 }),
        by: "nominator_pool_events_of_rewards",
      },
    },
    validatorEventsSql: {
      "of a pool": { statement: ownerEvents({ pool: other }), by: "pool_validator_events_by_pool" },
      "of a validator": { statement: ownerEvents({ validator: other, endUtime: 5 }) },
      "of a type of a pool": {
        statement: ownerEvents({ pool: other, type: "reward" }),
        by: "pool_validator_events_by_pool_type",
      },
      "of a type of a validator": {
        statement: ownerEvents({ validator: other, type: "penalty" }),
        by: "pool_validator_events_by_validator_type",
      },
    },
    auctionsSql: {
      all: { statement: auctions({}) },
      "of a state": { statement: auctions({ state: "won" }) },
      "behind a cursor": { statement: auctions({ state: "bidding", after: { endAt: 5n, item: other } }) },
    },
    inactiveSql: { "of accounts": { statement: inactiveSql(both) } },
    dnsRecordsSql: {
      "by wallet": { statement: dns({ kind: "wallet", wallet: one }) },
      "by domain": { statement: dns({ kind: "domain", domain: "a.ton" }), sorts: true },
    },
    multisigsSql: {
      "by address": { statement: multisigs({ addresses: both }), sorts: true },
      "by members": { statement: multisigs({ members: both }), sorts: true },
      "by address and members": { statement: multisigs({ addresses: both, members: both }), sorts: true },
    },
    ordersOfSql: { some: { statement: ordersOfSql(both), sorts: true } },
    multisigOrdersSql: {
      "by address": { statement: orders({ addresses: both, multisigs: both }), sorts: true },
      "of a wallet": { statement: orders({ multisigs: [one] }) },
      "of wallets": { statement: orders({ multisigs: both }), sorts: true },
    },
    vestingSql: {
      "by address": { statement: vesting({ kind: "contracts", addresses: both }), sorts: true },
      "of a wallet": { statement: vesting({ kind: "wallets", wallets: [one], withWhitelist: false }), sorts: true },
      "of wallets and those on the whitelist": {
        statement: vesting({ kind: "wallets", wallets: both, withWhitelist: true }),
        sorts: true,
      },
    },
    whitelistsSql: { some: { statement: whitelistsSql(both) } },
  };
}
