import type { Address } from "../../../model/Address.ts";
import { distinct } from "../../../model/Address.ts";
import { nftCollections } from "../../entities/nftCollections.ts";
import { nftItems } from "../../entities/nftItems.ts";
import { nftSales } from "../../entities/nftSales.ts";
import { addresses } from "../../store/schema/columns.ts";
import { type Row, selectList } from "../../store/schema/Table.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { Params, type Statement, selectRowsAt } from "../kit/Statement.ts";

export type NftItemRow = Row<typeof nftItems>;
export type NftCollectionRow = Row<typeof nftCollections>;
export type NftSaleRow = Row<typeof nftSales>;

/** An NFT item with its collection, and the sale or auction that holds it. */
export interface FullNftItem {
  readonly row: NftItemRow;
  readonly collection: NftCollectionRow | undefined;
  readonly sale: NftSaleRow | undefined;
}

export function collectionsOfSql(collections: readonly Address[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${selectList(nftCollections, "c")} from nft_collections c
    where c.address = any(${params.of(addresses, collections)})`);
}

/** Sales and auctions among the owners of items; not items that sell themselves. */
export function holdingSalesSql(owners: readonly Address[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${selectList(nftSales, "s")} from nft_sales s
    where s.address = any(${params.of(addresses, owners)}) and s.kind <> 'telemint'`);
}

/** Adds collections and sales to items, with two concurrent statements. */
export async function fillItems(
  reading: HistorySnapshot,
  rows: readonly NftItemRow[],
): Promise<readonly FullNftItem[]> {
  const collections = distinct(rows.map(({ collectionAddress }) => collectionAddress));
  const owners = distinct(rows.map(({ ownerAddress }) => ownerAddress));
  const [found, sales] = await Promise.all([
    collections.length === 0 ? [] : reading.rows(nftCollections, collectionsOfSql(collections)),
    owners.length === 0 ? [] : reading.rows(nftSales, holdingSalesSql(owners)),
  ]);
  const byAddress = new Map(found.map((collection) => [collection.address, collection]));
  const saleAt = new Map(sales.map((sale) => [sale.address, sale]));
  return rows.map((row) => {
    const sale = row.ownerAddress && saleAt.get(row.ownerAddress);
    return {
      row,
      collection: row.collectionAddress && byAddress.get(row.collectionAddress),
      sale: sale?.nftAddress === row.address ? sale : undefined,
    };
  });
}

export function itemsAtSql(of: readonly Address[]): Statement {
  return selectRowsAt(nftItems, "address", of);
}

/** The items among these accounts. */
export async function findItemsAt(
  reading: HistorySnapshot,
  of: readonly Address[],
): Promise<ReadonlyMap<Address, FullNftItem>> {
  if (of.length === 0) return new Map();
  const items = await fillItems(reading, await reading.rows(nftItems, itemsAtSql(of)));
  return new Map(items.map((item) => [item.row.address, item]));
}
