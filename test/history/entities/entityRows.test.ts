import { describe, expect, it } from "vitest";
import type { DetectedEntity } from "../../../src/contracts/detect.ts";
import { type Detected, makeEntityRows, noEntities } from "../../../src/history/entities/entityRows.ts";
import type { Address } from "../../../src/model/Address.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";

const [self, one, two, three] = ["self", "one", "two", "three"].map(accountNamed) as [
  Address,
  Address,
  Address,
  Address,
];
const [rawOne, rawTwo, rawThree] = [one, two, three].map(formatRawAddress);
const [codeHash, dataHash] = [named("code"), named("data")];

function found(...entities: DetectedEntity[]): Detected {
  return { address: self, codeHash, dataHash, lastTransLt: 9n, entities };
}

const common = { address: self, id: 3n << 20n, codeHash, dataHash, lastTransactionLt: 9n };

describe("rows of detected entities", () => {
  it("are numbered by their block and their index in it", () => {
    const collection = { kind: "nftCollection", nextItemIndex: 1n, owner: undefined, content: {} } as const;
    const master = {
      kind: "jettonMaster",
      totalSupply: 1n,
      mintable: true,
      admin: one,
      content: { name: "x" },
      walletCodeHash: named("wallet code"),
    } as const;
    const { jettonMasters, nftCollections, ...others } = makeEntityRows(3, [
      found(master, collection),
      { ...found(collection), address: two },
    ]);
    expect(jettonMasters).toEqual([
      {
        ...common,
        totalSupply: 1n,
        mintable: true,
        adminAddress: one,
        jettonContent: { name: "x" },
        jettonWalletCodeHash: named("wallet code"),
      },
    ]);
    const columns = { nextItemIndex: 1n, ownerAddress: undefined, collectionContent: {} };
    expect(nftCollections).toEqual([
      { ...common, ...columns, id: (3n << 20n) + 1n },
      { ...common, ...columns, id: (3n << 20n) + 2n, address: two },
    ]);
    const { jettonMasters: _masters, nftCollections: _collections, ...none } = noEntities();
    expect(others).toEqual(none);
  });

  it("mark the master of a claimable wallet as mintless", () => {
    const wallet = { kind: "jettonWallet", balance: 5n, owner: one, jetton: two, isClaimed: false } as const;
    const rows = makeEntityRows(3, [found(wallet)]);
    const mintless = { mintlessAmount: undefined, mintlessStartFrom: undefined, mintlessExpireAt: undefined };
    expect(rows.jettonWallets).toEqual([
      { ...common, balance: 5n, owner: one, jetton: two, mintlessIsClaimed: false, ...mintless },
    ]);
    expect(rows.mintlessJettonMasters).toEqual([{ address: two, isIndexed: false, customPayloadApiUri: undefined }]);
    expect(makeEntityRows(3, [found({ ...wallet, isClaimed: undefined })]).mintlessJettonMasters).toEqual([]);
  });

  it("show auctions and self-selling items as in the API", () => {
    const later = {
      ...{ isActivated: undefined, stepTime: undefined, lastQueryId: undefined, jettonWallet: undefined },
      ...{ jettonMaster: undefined, isBrokenState: undefined, publicKey: undefined },
    };
    const { nftSales } = makeEntityRows(3, [
      found(
        {
          kind: "nftAuction",
          version: "auction",
          isEnded: false,
          endAt: 100,
          marketplace: one,
          nft: two,
          nftOwner: three,
          lastBid: 7n,
          lastMember: undefined,
          minStep: 5n,
          marketplaceFeeAddress: one,
          marketplaceFeeFactor: 1n,
          marketplaceFeeBase: 10n,
          royaltyFeeAddress: three,
          royaltyFeeFactor: 2n,
          royaltyFeeBase: 20n,
          maxBid: 99n,
          minBid: 1n,
          createdAt: 50,
          lastBidAt: 60,
          isCanceled: false,
          ...later,
        },
        {
          kind: "teleitem",
          tokenName: "name",
          bidder: two,
          bid: 3n,
          bidAt: 4,
          minBid: 5n,
          endAt: 6,
          beneficiary: undefined,
          initialMinBid: 7n,
          maxBid: 8n,
          minBidStep: 9n,
          minExtendTime: 10,
          duration: 11,
          royaltyNumerator: 12,
          royaltyDenominator: 13,
          royaltyDestination: one,
        },
      ),
    ]);
    expect(nftSales).toEqual([
      {
        ...common,
        kind: "getgems_auction",
        nftAddress: two,
        nftOwnerAddress: three,
        marketplaceAddress: one,
        createdAt: 50,
        price: 7n,
        details: {
          ...{ end_flag: false, end_time: 100, last_bid: "7", last_member: null, min_step: 5n },
          ...{ mp_fee_address: rawOne, mp_fee_factor: 1n, mp_fee_base: 10n },
          ...{ royalty_fee_address: rawThree, royalty_fee_factor: 2n, royalty_fee_base: 20n },
          ...{ max_bid: "99", min_bid: "1", last_bid_at: 60, is_canceled: false },
        },
      },
      {
        ...common,
        id: (3n << 20n) + 1n,
        kind: "telemint",
        nftAddress: self,
        nftOwnerAddress: undefined,
        marketplaceAddress: undefined,
        createdAt: undefined,
        price: 3n,
        details: {
          ...{ token_name: "name", bidder_address: rawTwo, bid: "3", bid_ts: "4", min_bid: "5", end_time: 6 },
          ...{ beneficiary_address: null, initial_min_bid: "7", max_bid: "8", min_bid_step: "9" },
          ...{ min_extend_time: "10", duration: "11", royalty_numerator: 12, royalty_denominator: 13 },
          royalty_destination: rawOne,
        },
      },
    ]);
  });

  it("contain pools, domains and whitelists", () => {
    const rows = makeEntityRows(3, [
      found(
        {
          kind: "dedustPool",
          assets: [undefined, one],
          reserves: [10n, 20n],
          type: "volatile",
          feeNumerator: 1n,
          feeDenominator: 4n,
        },
        {
          kind: "dnsEntry",
          domain: "name.ton",
          owner: one,
          nextResolver: undefined,
          wallet: two,
          siteAdnl: named("site"),
          storageBagId: undefined,
          auction: { maxBidder: three, maxBid: 7n, endAt: 8 },
          lastFillUpAt: 6,
        },
        {
          ...{ kind: "vesting", startAt: 1, totalDuration: 2, unlockPeriod: 3, cliffDuration: 4, totalAmount: 5n },
          ...{ sender: one, owner: two, whitelist: [three, one] },
        },
      ),
    ]);
    const { id: _id, ...unnumbered } = common;
    const pool = { dex: "dedust", asset0: undefined, asset1: one, reserve0: 10n, reserve1: 20n };
    expect(rows.dexPools).toEqual([{ ...unnumbered, ...pool, poolType: "volatile", fee: 0.25 }]);
    expect(rows.dnsEntries).toEqual([
      {
        nftItemAddress: self,
        nftItemOwner: one,
        domain: "name.ton",
        dnsNextResolver: undefined,
        dnsWallet: two,
        dnsSiteAdnl: named("site"),
        dnsStorageBagId: undefined,
        lastTransactionLt: 9n,
        maxBidAddress: three,
        maxBidAmount: 7n,
        auctionEndTime: 8,
        lastFillUpTime: 6,
      },
    ]);
    expect(rows.vestingWhitelist).toEqual([
      { vestingAddress: self, walletAddress: three },
      { vestingAddress: self, walletAddress: one },
    ]);
  });
});
