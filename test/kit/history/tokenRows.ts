import { beginCell } from "../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell as cellCodec } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { dnsEntries } from "../../../src/history/entities/dnsEntries.ts";
import { jettonMasters } from "../../../src/history/entities/jettonMasters.ts";
import { jettonWallets } from "../../../src/history/entities/jettonWallets.ts";
import { mintlessJettonMasters } from "../../../src/history/entities/mintlessJettonMasters.ts";
import { multisigOrders } from "../../../src/history/entities/multisigOrders.ts";
import { multisigs } from "../../../src/history/entities/multisigs.ts";
import { nftCollections } from "../../../src/history/entities/nftCollections.ts";
import { nftItems } from "../../../src/history/entities/nftItems.ts";
import { nftSales } from "../../../src/history/entities/nftSales.ts";
import { vestingContracts } from "../../../src/history/entities/vestingContracts.ts";
import { vestingWhitelist } from "../../../src/history/entities/vestingWhitelist.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import * as tokenTables from "../../../src/history/store/schema/tokenTables.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadRows } from "./loadRows.ts";

const digits = (pair: string): Hash => pair.repeat(32) as Hash;
const at = (pair: string, workchain = 0): Address => makeAddress(workchain, digits(pair));

/** Synthetic users. */
export const [alice, bob, carol] = [at("e1"), at("e2"), at("e3", -1)] as const;
/** Synthetic jettons and the wallets of their owners. */
export const [gold, silver, copper] = [at("a1"), at("a2"), at("a3")] as const;
export const jettonWalletsAt = {
  aliceGold: at("b1"),
  aliceSilver: at("b2"),
  aliceCopper: at("b3"),
  bobGold: at("b4"),
  bobSilver: at("b5"),
  carolGold: at("b6"),
  carolSilver: at("b7"),
} as const;
export const [apes, cats, dogs] = [at("c1"), at("c2"), at("c3", -1)] as const;
export const nfts = {
  ape1: at("d1"),
  ape2: at("d2"),
  ape3: at("d3"),
  cat: at("d4"),
  lone: at("d5"),
  other: at("d6"),
  dog10: at("d7"),
  dog9: at("d8"),
  number: at("d9"),
} as const;
export const sales = { sale: at("f1"), auction: at("f2"), ended: at("f3"), market: at("f9") } as const;
export const names = { bb: at("91"), a: at("92"), ccc: at("93"), aa: at("94"), resolver: at("95") } as const;
/** Items of domains with auctions, of which one is no indexed item, and who bids. */
export const auctioned = { won: nfts.cat, wonToo: at("d0"), open: at("96") } as const;
export const bidder = at("e4");
export const multi = {
  first: at("71"),
  second: at("72"),
  order1: at("73"),
  order2: at("74"),
  order3: at("75"),
} as const;
export const vestings = { one: at("81"), two: at("82"), three: at("83"), pool: at("84", -1) } as const;

const state = { codeHash: digits("01"), dataHash: digits("02"), lastTransactionLt: 77n };

const bag = (cell: Cell) => writeBoc(cell, crcForm);
/** A comment in its own cell. */
export const commentBoc = bag(beginCell().storeUint(0, 32).storeBytes(Buffer.from("for lunch")).cell());
/** A cell with unknown content. */
export const strangeBoc = bag(beginCell().storeUint(0x11111111, 32).cell());
/** An order with one unknown action. */
export const orderBoc = bag(
  makeDictionary(uintKey(8), cellCodec, [[0, beginCell().storeUint(0xdeadbeef, 32).cell()]]).root ?? beginCell().cell(),
);

function master(address: Address, id: bigint, adminAddress: Address | undefined): Row<typeof jettonMasters> {
  const own = { address, id, adminAddress, totalSupply: 10n ** 25n, mintable: id % 2n === 0n };
  return { ...state, ...own, jettonContent: { symbol: "X", decimals: "9" }, jettonWalletCodeHash: digits("03") };
}

const unminted = {
  mintlessIsClaimed: undefined,
  mintlessAmount: undefined,
  mintlessStartFrom: undefined,
  mintlessExpireAt: undefined,
};

function wallet(
  address: Address,
  id: bigint,
  owner: Address,
  jetton: Address,
  balance: bigint,
  more: Partial<Row<typeof jettonWallets>> = {},
): Row<typeof jettonWallets> {
  return { ...state, ...unminted, address, id, owner, jetton, balance, ...more };
}

const event = (lt: number, now: number) => ({
  txHash: digits((0x20 + (lt % 100)).toString(16)),
  txLt: BigInt(lt),
  txNow: now,
  txAborted: false,
  mcSeqno: 5,
  traceId: digits("04"),
  queryId: 2n ** 64n - 1n,
  responseDestination: undefined,
  customPayload: undefined,
});

type TransferRow = Row<typeof tokenTables.jettonTransfers>;

function transfer(
  [lt, now]: readonly [number, number],
  [source, destination]: readonly [Address, Address | undefined],
  [sourceWallet, jettonMaster]: readonly [Address, Address],
  more: Partial<TransferRow> = {},
): TransferRow {
  const nothing = { amount: BigInt(lt), forwardTonAmount: 1n, forwardPayload: undefined };
  return { ...event(lt, now), ...nothing, source, destination, sourceWallet, jettonMaster, ...more };
}

type BurnRow = Row<typeof tokenTables.jettonBurns>;

function burn(lt: number, now: number, owner: Address, jettonWallet: Address, more: Partial<BurnRow> = {}): BurnRow {
  return { ...event(lt, now), amount: 3n, owner, jettonWallet, jettonMaster: gold, ...more };
}

type ItemRow = Row<typeof nftItems>;

function item(
  address: Address,
  id: bigint,
  [collectionAddress, index]: readonly [Address | undefined, bigint],
  [ownerAddress, realOwner]: readonly [Address, Address],
  lastTransactionLt: bigint,
): ItemRow {
  const own = { address, id, collectionAddress, index, ownerAddress, realOwner, lastTransactionLt };
  return { ...state, ...own, init: index !== 5n, content: index === 5n ? undefined : { uri: `${index}.json` } };
}

type NftTransferRow = Row<typeof tokenTables.nftTransfers>;

function nftTransfer(
  [lt, now]: readonly [number, number],
  nftItem: Address,
  [oldOwner, newOwner]: readonly [Address, Address | undefined],
  nftCollection: Address | undefined,
  more: Partial<NftTransferRow> = {},
): NftTransferRow {
  const nothing = { nftItemIndex: 1n, forwardAmount: 4n, forwardPayload: undefined };
  return { ...event(lt, now), ...nothing, nftItem, oldOwner, newOwner, nftCollection, ...more };
}

type DnsRow = Row<typeof dnsEntries>;

/** A domain without an auction. */
export const noAuction = {
  maxBidAddress: undefined,
  maxBidAmount: undefined,
  auctionEndTime: undefined,
  lastFillUpTime: undefined,
};

/** A domain with a highest bid of the bidder. */
function auction(item: Address, domain: string, auctionEndTime: number, more: Partial<DnsRow> = {}): DnsRow {
  const bid = { maxBidAddress: bidder, maxBidAmount: 5n, lastFillUpTime: 1_580_000_000 };
  return name(item, domain, alice, { dnsWallet: undefined, ...bid, auctionEndTime, ...more });
}

function name(nftItemAddress: Address, domain: string, nftItemOwner: Address, more: Partial<DnsRow> = {}): DnsRow {
  const none = { dnsNextResolver: undefined, dnsSiteAdnl: undefined, dnsStorageBagId: undefined, ...noAuction };
  return { ...none, nftItemAddress, domain, nftItemOwner, dnsWallet: carol, lastTransactionLt: 5n, ...more };
}

type OrderRow = Row<typeof multisigOrders>;

function order(address: Address, id: bigint, multisigAddress: Address, more: Partial<OrderRow> = {}): OrderRow {
  const votes = {
    threshold: 2,
    sentForExecution: false,
    approvalsMask: 3n,
    approvalsNum: 2,
    expirationDate: 1_800_000_000,
  };
  return { ...state, ...votes, address, id, multisigAddress, orderSeqno: id, orderBoc, signers: [alice, bob], ...more };
}

const undated = { startTime: undefined, totalDuration: undefined, unlockPeriod: undefined, cliffDuration: undefined };

/** Rows for everything that no recorded chain covers. The orders of insertion, address and time all differ. */
export const tokenRows = {
  jettonMasters: [master(gold, 13n, alice), master(silver, 12n, bob), master(copper, 11n, undefined)],
  mintlessJettonMasters: [
    { address: silver, isIndexed: true, customPayloadApiUri: ["https://example.org/claim"] },
  ] as readonly Row<typeof mintlessJettonMasters>[],
  jettonWallets: [
    wallet(jettonWalletsAt.aliceGold, 107n, alice, gold, 5n),
    wallet(jettonWalletsAt.aliceSilver, 106n, alice, silver, 0n),
    wallet(jettonWalletsAt.aliceCopper, 105n, alice, copper, 7n),
    wallet(jettonWalletsAt.bobGold, 104n, bob, gold, 100n),
    wallet(jettonWalletsAt.bobSilver, 103n, bob, silver, 0n, {
      codeHash: undefined,
      dataHash: undefined,
      mintlessIsClaimed: false,
      mintlessAmount: 50n,
      mintlessStartFrom: 1_700_000_000,
    }),
    wallet(jettonWalletsAt.carolGold, 102n, carol, gold, 0n, { mintlessIsClaimed: true, mintlessAmount: 9n }),
    wallet(jettonWalletsAt.carolSilver, 101n, carol, silver, 10n ** 25n),
  ],
  jettonTransfers: [
    transfer([1000, 50], [alice, bob], [jettonWalletsAt.aliceGold, gold], {
      responseDestination: alice,
      forwardPayload: commentBoc,
    }),
    transfer([1001, 51], [bob, alice], [jettonWalletsAt.bobGold, gold]),
    transfer([1002, 49], [alice, carol], [jettonWalletsAt.aliceSilver, silver], { customPayload: strangeBoc }),
    transfer([1003, 60], [alice, bob], [jettonWalletsAt.aliceGold, gold], { txAborted: true }),
    transfer([1004, 61], [alice, alice], [jettonWalletsAt.aliceGold, gold]),
    transfer([1004, 61], [bob, carol], [jettonWalletsAt.bobSilver, silver], { txHash: digits("10") }),
    transfer([1005, 62], [carol, undefined], [jettonWalletsAt.carolGold, gold], {
      traceId: undefined,
      forwardTonAmount: undefined,
    }),
  ],
  jettonBurns: [
    burn(1010, 52, alice, jettonWalletsAt.aliceGold, { responseDestination: bob, customPayload: commentBoc }),
    burn(1011, 53, bob, jettonWalletsAt.bobGold, { txAborted: true }),
    burn(1012, 48, alice, jettonWalletsAt.aliceSilver, { jettonMaster: silver, traceId: undefined }),
    burn(1013, 63, carol, jettonWalletsAt.carolGold),
  ],
  nftCollections: [
    {
      ...state,
      address: apes,
      id: 203n,
      nextItemIndex: 4n,
      ownerAddress: alice,
      collectionContent: { uri: "apes.json" },
    },
    { ...state, address: cats, id: 202n, nextItemIndex: -1n, ownerAddress: undefined, collectionContent: undefined },
    { ...state, address: dogs, id: 201n, nextItemIndex: 11n, ownerAddress: bob, collectionContent: undefined },
  ] as readonly Row<typeof nftCollections>[],
  nftItems: [
    item(nfts.ape1, 309n, [apes, 1n], [alice, alice], 50n),
    item(nfts.ape2, 308n, [apes, 2n], [sales.sale, alice], 70n),
    item(nfts.ape3, 307n, [apes, 3n], [sales.auction, bob], 60n),
    item(nfts.cat, 306n, [cats, 0n], [alice, alice], 65n),
    item(nfts.lone, 305n, [undefined, 0n], [alice, alice], 55n),
    item(nfts.other, 304n, [undefined, 5n], [alice, alice], 75n),
    item(nfts.dog10, 303n, [dogs, 10n], [bob, bob], 80n),
    item(nfts.dog9, 302n, [dogs, 9n], [carol, carol], 45n),
    item(nfts.number, 301n, [undefined, 2n ** 255n], [bob, bob], 40n),
  ],
  nftSales: [
    {
      ...{ ...state, address: sales.ended, id: 404n, kind: "getgems_sale" as const, nftAddress: nfts.ape1 },
      ...{ nftOwnerAddress: undefined, marketplaceAddress: undefined, createdAt: 1_600_000_000, price: 5n },
      details: { is_complete: true, full_price: "5", royalty_address: null },
    },
    {
      ...{ ...state, address: nfts.number, id: 401n, kind: "telemint" as const, nftAddress: nfts.number },
      ...{ nftOwnerAddress: undefined, marketplaceAddress: undefined, createdAt: undefined, price: 0n },
      details: {
        token_name: "8888",
        bid: "0",
        bid_ts: "0",
        end_time: 0,
        bidder_address: null,
        beneficiary_address: null,
      },
    },
    {
      ...{ ...state, address: sales.auction, id: 403n, kind: "getgems_auction" as const, nftAddress: nfts.ape3 },
      ...{ nftOwnerAddress: bob, marketplaceAddress: sales.market, createdAt: 1_600_000_000, price: 9n },
      details: {
        end_flag: false,
        end_time: 1_700_000_000,
        last_bid: "9",
        last_member: `0:${"E1".repeat(32)}`,
        min_step: 5,
      },
    },
    {
      ...{ ...state, address: sales.sale, id: 405n, kind: "getgems_sale" as const, nftAddress: nfts.ape2 },
      ...{ nftOwnerAddress: alice, marketplaceAddress: sales.market, createdAt: 1_600_000_000, price: 7n },
      details: {
        is_complete: false,
        full_price: "7",
        marketplace_fee_address: `-1:${"E3".repeat(32)}`,
        marketplace_fee: "1",
      },
    },
  ] as readonly Row<typeof nftSales>[],
  nftTransfers: [
    nftTransfer([1020, 54], nfts.ape1, [bob, alice], apes, { responseDestination: bob, forwardPayload: strangeBoc }),
    nftTransfer([1021, 47], nfts.lone, [carol, alice], undefined, { customPayload: commentBoc }),
    nftTransfer([1022, 56], nfts.ape1, [alice, bob], apes, { txAborted: true }),
    nftTransfer([1023, 57], nfts.cat, [alice, alice], cats),
    nftTransfer([1024, 58], nfts.dog9, [bob, undefined], dogs, { traceId: undefined, forwardAmount: undefined }),
  ],
  dnsEntries: [
    name(names.bb, "bb.ton", carol),
    name(names.a, "a.ton", carol),
    name(names.ccc, "ccc.t.me", alice),
    name(names.aa, "aa.ton", bob, {
      dnsNextResolver: names.resolver,
      dnsSiteAdnl: digits("05"),
      dnsStorageBagId: digits("06"),
    }),
    auction(auctioned.open, "open.ton", 9_000_000_000, { lastFillUpTime: undefined }),
    auction(auctioned.wonToo, "won-too.ton", 1_600_000_000),
    auction(auctioned.won, "won.ton", 1_600_000_000, { maxBidAmount: 10n ** 30n }),
  ],
  multisigs: [
    {
      ...{ ...state, address: multi.first, id: 502n, nextOrderSeqno: 2n ** 255n, threshold: 2 },
      ...{ signers: [alice, bob], proposers: [carol] },
    },
    {
      ...{ ...state, address: multi.second, id: 501n, nextOrderSeqno: undefined, threshold: undefined },
      ...{ signers: [carol], proposers: [], codeHash: undefined, dataHash: undefined },
    },
  ] as readonly Row<typeof multisigs>[],
  multisigOrders: [
    order(multi.order1, 505n, multi.first),
    order(multi.order2, 504n, multi.first, { orderBoc: undefined, sentForExecution: undefined }),
    order(multi.order3, 503n, multi.second, { signers: [carol] }),
  ],
  vestingContracts: [
    {
      ...{ ...state, address: vestings.one, id: 603n, startTime: 1_600_000_000, totalDuration: 1000, unlockPeriod: 10 },
      ...{ cliffDuration: 100, totalAmount: 10n ** 12n, senderAddress: bob, ownerAddress: alice },
    },
    { ...state, ...undated, address: vestings.two, id: 602n, totalAmount: 1n, senderAddress: alice, ownerAddress: bob },
    {
      ...{ ...state, ...undated, address: vestings.three, id: 601n },
      ...{ totalAmount: undefined, senderAddress: undefined, ownerAddress: carol },
    },
  ] as readonly Row<typeof vestingContracts>[],
  vestingWhitelist: [
    { vestingAddress: vestings.one, walletAddress: carol },
    { vestingAddress: vestings.one, walletAddress: alice },
    { vestingAddress: vestings.one, walletAddress: vestings.pool },
    { vestingAddress: vestings.three, walletAddress: alice },
  ] as readonly Row<typeof vestingWhitelist>[],
} as const;

export async function loadTokenRows(database: Pick<Database, "write">): Promise<void> {
  await database.write(async (session) => {
    await loadRows(session, jettonMasters, tokenRows.jettonMasters);
    await loadRows(session, mintlessJettonMasters, tokenRows.mintlessJettonMasters);
    await loadRows(session, jettonWallets, tokenRows.jettonWallets);
    await loadRows(session, tokenTables.jettonTransfers, tokenRows.jettonTransfers);
    await loadRows(session, tokenTables.jettonBurns, tokenRows.jettonBurns);
    await loadRows(session, nftCollections, tokenRows.nftCollections);
    await loadRows(session, nftItems, tokenRows.nftItems);
    await loadRows(session, nftSales, tokenRows.nftSales);
    await loadRows(session, tokenTables.nftTransfers, tokenRows.nftTransfers);
    await loadRows(session, dnsEntries, tokenRows.dnsEntries);
    await loadRows(session, multisigs, tokenRows.multisigs);
    await loadRows(session, multisigOrders, tokenRows.multisigOrders);
    await loadRows(session, vestingContracts, tokenRows.vestingContracts);
    await loadRows(session, vestingWhitelist, tokenRows.vestingWhitelist);
  });
}
