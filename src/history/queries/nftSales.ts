import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { nftSales } from "../entities/nftSales.ts";
import { type FullNftItem, findItemsAt, type NftSaleRow } from "./fill/fillItems.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import type { Statement } from "./kit/Statement.ts";
import { selectRowsAt } from "./kit/Statement.ts";

/** A sale with its NFT. */
export interface FullNftSale {
  readonly row: NftSaleRow;
  readonly item: FullNftItem | undefined;
}

/** Sales, then auctions, then items that sell themselves, each ordered by first appearance. */
export function nftSalesSql(of: readonly Address[]): Statement {
  const kinds = "array_position(array['getgems_sale', 'getgems_auction', 'telemint'], t.kind)";
  return selectRowsAt(nftSales, "address", of, `${kinds}, t.id, t.address`);
}

/** The sales, auctions and self-selling items among these accounts. */
export async function listNftSales(reading: HistorySnapshot, of: readonly Address[]): Promise<readonly FullNftSale[]> {
  const sales = await reading.rows(nftSales, nftSalesSql(distinct(of)));
  const sold = distinct(sales.map(({ nftAddress }) => nftAddress));
  const items = await findItemsAt(reading, sold);
  return sales.map((row) => ({ row, item: row.nftAddress && items.get(row.nftAddress) }));
}
