import type { Address } from "../../model/Address.ts";
import { nftSales } from "../entities/nftSales.ts";
import { addresses } from "../store/schema/columns.ts";
import { selectList } from "../store/schema/Table.ts";
import { type FullNftItem, findItemsAt, type NftSaleRow } from "./fill/fillItems.ts";
import { distinct } from "./kit/distinct.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";

/** A sale with its NFT. */
export interface FullNftSale {
  readonly row: NftSaleRow;
  readonly item: FullNftItem | undefined;
}

/** Sales, then auctions, then items that sell themselves, each ordered by first appearance. */
export function nftSalesSql(of: readonly Address[]): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(nftSales, "s")} from nft_sales s
    where s.address = any(${params.of(addresses, of)})
    order by array_position(array['getgems_sale', 'getgems_auction', 'telemint'], s.kind), s.id, s.address`);
}

/** The sales, auctions and self-selling items among these accounts. */
export async function listNftSales(reading: HistorySnapshot, of: readonly Address[]): Promise<readonly FullNftSale[]> {
  const sales = await reading.rows(nftSales, nftSalesSql(distinct(of)));
  const sold = distinct(sales.map(({ nftAddress }) => nftAddress));
  const items = await findItemsAt(reading, sold);
  return sales.map((row) => ({ row, item: row.nftAddress && items.get(row.nftAddress) }));
}
