import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { nftCollections } from "../entities/nftCollections.ts";
import { nftItems } from "../entities/nftItems.ts";
import type { TableLayout } from "../store/Database.ts";
import { address, addresses, amount, int8, nullable, texts } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { type FullNftItem, fillItems } from "./fill/fillItems.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import { by, insertionOrder, type ListPage, listed, type Order, type Page } from "./kit/Page.ts";
import { isSearchedOn, listQuery, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, Params, type Statement } from "./kit/Statement.ts";
import { skipRows } from "./kit/skipRows.ts";

export interface NftCollectionFilter {
  readonly addresses: readonly Address[];
  readonly owners: readonly Address[];
}

/** The order in which entities were first seen. */
const byInsertion = insertionOrder("asc");

export function nftCollectionsSql(filter: NftCollectionFilter, page: Page): Statement {
  const params = new Params();
  const owners = distinct(filter.owners);
  const isBounded = filter.addresses.length > 0;
  return mergeIndexScans(params, {
    select: selectList(nftCollections, "t"),
    from: "nft_collections t",
    scans: isBounded || owners.length === 0 ? [] : [{ by: { column: "t.owner_address", keys: owners } }],
    identity: ["address"],
    where: [
      ifAny(filter.addresses, (values) => `t.address = any(${params.of(addresses, values)})`),
      isBounded ? ifAny(owners, (values) => `t.owner_address = any(${params.of(addresses, values)})`) : undefined,
    ],
    order: byInsertion,
    page,
  });
}

/** NFT collections, in the order in which they were first seen. */
export const listNftCollections = listQuery(
  nftCollectionsSql,
  () => byInsertion,
  (row) => readRow(nftCollections, row),
);

export interface NftItemFilter {
  readonly addresses: readonly Address[];
  readonly owners: readonly Address[];
  /** Whether an item on sale still counts for its seller. */
  readonly includeOnSale?: boolean;
  readonly collections: readonly Address[];
  /** In decimal digits. */
  readonly indexes: readonly string[];
  /** Most recently changed items first. */
  readonly isByLastLt?: boolean;
}

const ownerColumn = ({ includeOnSale }: NftItemFilter) => (includeOnSale === true ? "t.real_owner" : "t.owner_address");

/** The cases of the contract, the strongest first. */
function itemsOrder(filter: NftItemFilter): Order {
  const byIndex = [by("t.index", amount, "asc"), by("t.address", address, "asc")];
  if (filter.isByLastLt === true) return [by("t.last_transaction_lt", int8, "desc"), by("t.address", address, "desc")];
  if (distinct(filter.collections).length === 1) return byIndex;
  if (filter.owners.length === 0) return byInsertion;
  return [by(ownerColumn(filter), address, "asc"), by("t.collection_address", nullable(address), "asc"), ...byIndex];
}

function collectionIs(params: Params, collections: readonly Address[]): string {
  const [only] = collections;
  return collections.length === 1 && only !== undefined
    ? `t.collection_address = ${params.of(address, only)}`
    : `t.collection_address = any(${params.of(addresses, collections)})`;
}

/** Few items have one of the addresses, or one of the indexes in a collection, so that all of them can be read. */
function isBounded({ addresses: own, indexes }: NftItemFilter): boolean {
  return own.length > 0 || indexes.length > 0;
}

/** Up to this many collections of an owner are read one by one, each in the order of its items. */
const maxParts = 16;

/** Whether the index of the owner's items finds those of the collections, in the order that is wanted. */
function isServed({ owners, collections, isByLastLt }: NftItemFilter): boolean {
  return owners.length > 0 && isByLastLt !== true && distinct(collections).length <= maxParts;
}

function itemScans(params: Params, filter: NftItemFilter): readonly IndexScan[] {
  const [owners, collections] = [distinct(filter.owners), distinct(filter.collections)];
  if (isBounded(filter)) return [];
  const isSplit = collections.length > 1 && isServed(filter);
  const parts = isSplit ? { parts: collections.map((each) => collectionIs(params, [each])) } : {};
  if (owners.length > 0) return [{ by: { column: ownerColumn(filter), keys: owners }, ...parts }];
  return collections.length > 0 ? [{ by: { column: "t.collection_address", keys: collections } }] : [];
}

function itemsList(params: Params, filter: NftItemFilter, page: Page): IndexScansStatement {
  const collections = distinct(filter.collections);
  const isOfOwners = !isBounded(filter) && filter.owners.length > 0;
  const order = itemsOrder(filter);
  const inCollections = () => ifAny(collections, (values) => collectionIs(params, values));
  const bounded: readonly Condition[] = isBounded(filter)
    ? [
        ifAny(filter.addresses, (values) => `t.address = any(${params.of(addresses, values)})`),
        ifAny(filter.owners, (values) => `${ownerColumn(filter)} = any(${params.of(addresses, values)})`),
        ifAny(filter.indexes, (values) => `t.index = any(${params.of(texts, values)}::numeric[])`),
      ]
    : [];
  return {
    select: selectList(nftItems, "t"),
    from: "nft_items t",
    scans: itemScans(params, filter),
    identity: ["address"],
    where: [
      ...bounded,
      isBounded(filter) || (isOfOwners && isServed(filter) && collections.length === 1) ? inCollections() : undefined,
    ],
    checks: isOfOwners && !isServed(filter) ? [inCollections()] : [],
    order,
    // The index of owners has all but the address: an index is in a collection once.
    fewTiesAfter: isOfOwners && order[0]?.sql === ownerColumn(filter) ? order.length - 1 : undefined,
    page,
  };
}

export function nftItemsSql(filter: NftItemFilter, page: Page, layout?: TableLayout): Statement {
  const params = new Params(layout);
  return mergeIndexScans(params, itemsList(params, filter, page));
}

/** NFT items with their collections and sales. */
export async function listNftItems(
  reading: HistorySnapshot,
  filter: NftItemFilter,
  asked: Page,
): Promise<ListPage<FullNftItem>> {
  const { layout } = reading;
  const page = await skipRows(reading, asked, (params) => itemsList(params, filter, asked));
  if (page === undefined) return { items: [], next: undefined };
  const found = await readScans(reading, page, nftItemsSql(filter, page, layout), {
    scans: (params) => itemsList(params, filter, page),
    isAlone: isSearchedOn(filter, asked),
  });
  const { items, next } = listed(
    found,
    { order: itemsOrder(filter), page },
    (row): Row<typeof nftItems> => readRow(nftItems, row),
  );
  return { items: await fillItems(reading, items), next };
}
