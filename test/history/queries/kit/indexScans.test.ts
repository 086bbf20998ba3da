import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jettonWallets as jettonWalletTable } from "../../../../src/history/entities/jettonWallets.ts";
import { nftItems as nftItemTable } from "../../../../src/history/entities/nftItems.ts";
import { listDnsRecords } from "../../../../src/history/queries/dns.ts";
import { listJettonMasters, listJettonWallets } from "../../../../src/history/queries/jettons.ts";
import { contractHistory, History, type HistorySnapshot } from "../../../../src/history/queries/kit/History.ts";
import type { ListPage, Page } from "../../../../src/history/queries/kit/Page.ts";
import { listMultisigOrders, listMultisigs } from "../../../../src/history/queries/multisig.ts";
import { listNftItems } from "../../../../src/history/queries/nfts.ts";
import { listJettonTransfers, listNftTransfers } from "../../../../src/history/queries/tokenEvents.ts";
import { listVesting } from "../../../../src/history/queries/vesting.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { addressToHex } from "../../../../src/history/store/schema/columns.ts";
import * as tokenTables from "../../../../src/history/store/schema/tokenTables.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { loadRows } from "../../../kit/history/loadRows.ts";
import {
  alice,
  apes,
  bob,
  carol,
  cats,
  dogs,
  gold,
  loadTokenRows,
  multi,
  silver,
  tokenRows,
} from "../../../kit/history/tokenRows.ts";

let database: Database;
let history: History;

const people = [alice, bob, carol] as const;
const hashOf = (number: number) => number.toString(16).padStart(64, "0") as Hash;
const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const [transferOf] = tokenRows.jettonTransfers;
/** Transfers among few users, many at the same logical time, with a different order by time. */
const transfers = Array.from({ length: 120 }, (_none, at) => ({
  ...(transferOf as (typeof tokenRows.jettonTransfers)[number]),
  txHash: hashOf(1_000_000 - at * 7919),
  txLt: BigInt(5000 + (at >> 1)),
  txNow: 900 + ((at * 13) % 40),
  txAborted: at % 10 === 9,
  source: pick(people, at),
  sourceWallet: makeAddress(0, hashOf(at % 3)),
  destination: pick([alice, undefined, bob, carol, bob], at),
  jettonMaster: pick([gold, silver], at >> 2),
}));

const [itemOf] = tokenRows.nftItems;
const items = Array.from({ length: 60 }, (_none, at) => ({
  ...(itemOf as (typeof tokenRows.nftItems)[number]),
  address: makeAddress(0, hashOf(70_000 - at)),
  id: BigInt(9000 + ((at * 17) % 60)),
  index: BigInt((at * 7) % 11),
  collectionAddress: pick([apes, undefined, cats, dogs], at),
  ownerAddress: pick(people, at >> 1),
  realOwner: pick(people, at),
  lastTransactionLt: BigInt(800 + ((at * 29) % 31)),
}));

const [walletOf] = tokenRows.jettonWallets;
const wallets = Array.from({ length: 60 }, (_none, at) => ({
  ...(walletOf as (typeof tokenRows.jettonWallets)[number]),
  address: makeAddress(0, hashOf(90_000 - at)),
  id: BigInt(9500 + ((at * 17) % 60)),
  owner: pick(people, at),
  jetton: pick([gold, silver], at >> 1),
  balance: BigInt((at * 7) % 5),
  mintlessIsClaimed: pick([undefined, false, true], at >> 1),
  mintlessAmount: pick([undefined, 5n, 0n, 6n], at),
}));

beforeAll(async () => {
  database = await openFresh("postgres");
  await loadTokenRows(database);
  await database.write(async (session) => {
    await loadRows(session, tokenTables.jettonTransfers, transfers);
    await loadRows(session, nftItemTable, items);
    await loadRows(session, jettonWalletTable, wallets);
  });
  history = new History(contractHistory, { database });
});

afterAll(() => database.close());

type List = (reading: HistorySnapshot, page: Page) => Promise<ListPage<unknown>>;

const only =
  <T>(list: (reading: HistorySnapshot, page: Page) => Promise<ListPage<T>>, keyOf: (item: T) => unknown): List =>
  async (reading, page) => {
    const { items, next } = await list(reading, page);
    return { items: items.map(keyOf), next };
  };

const jettonMoves = (filter: object, sort: "asc" | "desc") =>
  only(
    (reading, page) => listJettonTransfers(reading, { owners: [], holders: [], ...filter }, page, sort),
    ({ row }) => row.txHash,
  );
const nftItems = (filter: object) =>
  only(
    (reading, page) =>
      listNftItems(reading, { addresses: [], owners: [], collections: [], indexes: [], ...filter }, page),
    ({ row }) => row.address,
  );
const jettonWallets = (filter: object, sort?: "asc" | "desc") =>
  only(
    (reading, page) => listJettonWallets(reading, { addresses: [], owners: [], jettons: [], ...filter }, page, sort),
    ({ row }) => row.address,
  );

type Key = string | number | bigint;

/** Sorts rows by several keys, ascending. */
function inOrder<T>(rows: readonly T[], ...keys: readonly ((row: T) => Key)[]): readonly T[] {
  return rows.toSorted((one, other) => {
    const differing = keys.find((key) => key(one) !== key(other));
    return differing === undefined ? 0 : differing(one) < differing(other) ? -1 : 1;
  });
}

const place = (address: Address | undefined) => (address === undefined ? "~" : addressToHex(address));

const allTransfers = [...tokenRows.jettonTransfers, ...transfers].filter(({ txAborted }) => !txAborted);
const allItems = [...tokenRows.nftItems, ...items];
const allWallets = [...tokenRows.jettonWallets, ...wallets];
const isOf = (owners: readonly Address[]) => (row: (typeof allTransfers)[number]) =>
  owners.includes(row.source) || (row.destination !== undefined && owners.includes(row.destination));
const hasSome = ({ balance, mintlessAmount = 0n, mintlessIsClaimed }: (typeof allWallets)[number]) =>
  balance + (mintlessIsClaimed === false ? mintlessAmount : 0n) > 0n;

/** Lists with their whole expected content, computed without a database. */
const lists: Readonly<Record<string, readonly [List, () => readonly unknown[]]>> = {
  "transfers of an owner, newest first": [
    jettonMoves({ owners: [alice] }, "desc"),
    () =>
      inOrder(
        allTransfers.filter(isOf([alice])),
        ({ txLt }) => txLt,
        ({ txHash }) => txHash,
      )
        .map(({ txHash }) => txHash)
        .toReversed(),
  ],
  "transfers of owners by time": [
    jettonMoves({ owners: [bob, alice, bob], startUtime: 905, endUtime: 930 }, "asc"),
    () =>
      inOrder(
        allTransfers.filter((row) => isOf([alice, bob])(row) && row.txNow >= 905 && row.txNow <= 930),
        ({ txNow }) => txNow,
        ({ txLt }) => txLt,
        ({ txHash }) => txHash,
      ).map(({ txHash }) => txHash),
  ],
  "transfers of many owners, newest first": [
    jettonMoves({ owners: [...people, gold, silver] }, "desc"),
    () =>
      inOrder(
        allTransfers,
        ({ txLt }) => txLt,
        ({ txHash }) => txHash,
      )
        .map(({ txHash }) => txHash)
        .toReversed(),
  ],
  "wallets of many owners with a jetton, the poorest first": [
    jettonWallets({ owners: [...people, apes, cats, dogs], jettons: [gold], excludeZeroBalance: true }, "asc"),
    () =>
      inOrder(
        allWallets.filter((row) => hasSome(row) && row.jetton === gold),
        ({ balance }) => balance,
        ({ id }) => id,
      ).map(({ address }) => address),
  ],
  "transfers received by owners, of a jetton": [
    jettonMoves({ owners: [bob, carol], side: "in", issuer: silver }, "asc"),
    () =>
      inOrder(
        allTransfers.filter(
          ({ destination, jettonMaster }) => (destination === bob || destination === carol) && jettonMaster === silver,
        ),
        ({ txLt }) => txLt,
        ({ txHash }) => txHash,
      ).map(({ txHash }) => txHash),
  ],
  "items of owners, those without a collection last of each": [
    nftItems({ owners: people }),
    () =>
      inOrder(
        allItems.filter(
          ({ ownerAddress }) => ownerAddress !== undefined && people.some((each) => each === ownerAddress),
        ),
        ({ ownerAddress }) => place(ownerAddress),
        ({ collectionAddress }) => place(collectionAddress),
        ({ index }) => index,
        ({ address }) => place(address),
      ).map(({ address }) => address),
  ],
  "items of an owner, on sale too": [
    nftItems({ owners: [alice], includeOnSale: true }),
    () =>
      inOrder(
        allItems.filter(({ realOwner }) => realOwner === alice),
        ({ collectionAddress }) => place(collectionAddress),
        ({ index }) => index,
        ({ address }) => place(address),
      ).map(({ address }) => address),
  ],
  "items of owners by last change": [
    nftItems({ owners: [bob, carol], isByLastLt: true }),
    () =>
      inOrder(
        allItems.filter(({ ownerAddress }) => ownerAddress === bob || ownerAddress === carol),
        ({ lastTransactionLt }) => lastTransactionLt,
        ({ address }) => place(address),
      )
        .map(({ address }) => address)
        .toReversed(),
  ],
  "items of a collection": [
    nftItems({ collections: [dogs] }),
    () =>
      inOrder(
        allItems.filter(({ collectionAddress }) => collectionAddress === dogs),
        ({ index }) => index,
        ({ address }) => place(address),
      ).map(({ address }) => address),
  ],
  "wallets that have or can claim something, the poorest first": [
    jettonWallets({ excludeZeroBalance: true }, "asc"),
    () =>
      inOrder(
        allWallets.filter(hasSome),
        ({ balance }) => balance,
        ({ id }) => id,
      ).map(({ address }) => address),
  ],
  "wallets of owners, the richest first of each": [
    jettonWallets({ owners: [alice, carol], excludeZeroBalance: true }, "desc"),
    () =>
      inOrder(
        allWallets.filter((row) => hasSome(row) && row.owner !== bob),
        ({ owner }) => place(owner),
        ({ balance }) => -balance,
        ({ id }) => -id,
      ).map(({ address }) => address),
  ],
  "wallets of a jetton, in the order of insertion": [
    jettonWallets({ jettons: [gold], excludeZeroBalance: true }),
    () =>
      inOrder(
        allWallets.filter((row) => hasSome(row) && row.jetton === gold),
        ({ id }) => id,
      ).map(({ address }) => address),
  ],
  "masters of admins": [
    only(
      (reading, page) => listJettonMasters(reading, { addresses: [], admins: [alice, bob] }, page),
      ({ address }) => address,
    ),
    () => [silver, gold],
  ],
  "NFT transfers of owners": [
    only(
      (reading, page) => listNftTransfers(reading, { owners: [alice, bob], holders: [] }, page, "asc"),
      ({ row }) => row.txLt,
    ),
    () => [1020n, 1021n, 1022n, 1023n, 1024n],
  ],
  "names of a wallet": [
    only(
      (reading, page) => listDnsRecords(reading, { kind: "wallet", wallet: carol }, page),
      ({ domain }) => domain,
    ),
    () => ["a.ton", "aa.ton", "bb.ton", "ccc.t.me"],
  ],
  "multisig wallets of members": [
    only(
      (reading, page) => listMultisigs(reading, { addresses: [], members: [alice, carol] }, page, "desc"),
      ({ address }) => address,
    ),
    () => [multi.first, multi.second],
  ],
  "orders of multisig wallets": [
    only(
      (reading, page) =>
        listMultisigOrders(reading, { addresses: [], multisigs: [multi.second, multi.first] }, page, "asc"),
      ({ address }) => address,
    ),
    () => [multi.order3, multi.order2, multi.order1],
  ],
  "vesting contracts of wallets": [
    only(
      (reading, page) =>
        listVesting(reading, { kind: "wallets", wallets: [alice, bob, carol], withWhitelist: true }, page),
      ({ row }) => row.id,
    ),
    () => [601n, 602n, 603n],
  ],
};

const ask = (list: List, page: Page) => history.read({}, (reading) => list(reading, page));

/** The whole list, page by page. */
async function walk(list: List, limit: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const part = await ask(list, { limit, offset: 0, cursor });
    found.push(...part.items);
    cursor = part.next;
  } while (cursor !== undefined);
  return found;
}

describe.each(Object.entries(lists))("a list of %s", (_name, [list, whole]) => {
  it("has every row once, in order", async () => {
    expect((await ask(list, { limit: 1000, offset: 0 })).items).toEqual(whole());
  });

  it.each([1, 7])("is the same in pages of %i", async (limit) => {
    expect(await walk(list, limit)).toEqual(whole());
  });

  it("continues by offset, also after a cursor", async () => {
    const middle = Math.floor(whole().length / 2);
    expect((await ask(list, { limit: 1000, offset: middle })).items).toEqual(whole().slice(middle));
    const { next } = await ask(list, { limit: 1, offset: 0 });
    const { items } = await ask(list, { limit: 1000, offset: middle - 1, cursor: next });
    expect(items).toEqual(whole().slice(middle));
  });
});
