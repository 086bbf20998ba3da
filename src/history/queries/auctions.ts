import type { Address } from "../../model/Address.ts";
import { dnsEntries } from "../entities/dnsEntries.ts";
import { address, addresses, int8, int53 } from "../store/schema/columns.ts";
import { type Row, selectList } from "../store/schema/Table.ts";
import * as tables from "../store/schema/tables.ts";
import { type FullNftItem, findItemsAt } from "./fill/fillItems.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { by, listSql, type Order, type Page } from "./kit/Page.ts";
import { type Condition, ifSet, Params, type Statement } from "./kit/Statement.ts";

/** An auction of a domain with its item, where it is asked for. */
export interface DomainAuction {
  readonly row: Row<typeof dnsEntries>;
  /** Whether it ended at the time of the request. */
  readonly isFinished: boolean;
  readonly item: FullNftItem | undefined;
}

/** A place in the order of auctions. */
export interface AuctionPlace {
  readonly endAt: bigint;
  readonly item: Address;
}

/** The auctions of a bidder, at a time. */
export interface AuctionFilter {
  readonly bidder: Address;
  readonly state: "all" | "won" | "bidding";
  readonly now: number;
  /** Only auctions behind this one. */
  readonly after?: AuctionPlace | undefined;
}

/** A page of auctions; `next` is the place of the last one of a full page. */
export interface AuctionPage {
  readonly auctions: readonly DomainAuction[];
  readonly next: AuctionPlace | undefined;
}

const order: Order = [by("e.auction_end_time", int53, "asc"), by("e.nft_item_address", address, "asc")];

function ofState(params: Params, { state, now }: AuctionFilter): Condition {
  if (state === "all") return undefined;
  return `e.auction_end_time ${state === "won" ? "<=" : ">"} ${params.of(int53, now)}`;
}

export function auctionsSql(filter: AuctionFilter, page: Page): Statement {
  const params = new Params();
  return listSql(params, {
    select: selectList(dnsEntries, "e"),
    from: "dns_entries e",
    where: [
      `e.max_bid_address = ${params.of(address, filter.bidder)}`,
      ofState(params, filter),
      ifSet(
        filter.after,
        ({ endAt, item }) =>
          `(e.auction_end_time, e.nft_item_address) > (${params.of(int8, endAt)}, ${params.of(address, item)})`,
      ),
    ],
    order,
    page,
  });
}

/** Which of these accounts exist no longer. */
export function inactiveSql(of: readonly Address[]): Statement {
  const params = new Params();
  return params.lookup(`
    select l.account from latest_account_states l
    where l.account = any(${params.of(addresses, of)}) and l.status <> 'active'`);
}

/** Auctions in which an address has the highest bid, the earliest end first; those of destroyed items are left out. */
export async function listAuctions(
  reading: HistorySnapshot,
  filter: AuctionFilter,
  page: Page,
  options: { readonly withItems: boolean },
): Promise<AuctionPage> {
  const rows = await reading.rows(dnsEntries, auctionsSql(filter, page));
  const listed = rows.map(({ nftItemAddress }) => nftItemAddress);
  const inactive = listed.length === 0 ? [] : await reading.query(inactiveSql(listed));
  const { account } = tables.latestAccountStates.columns;
  const isGone = new Set(inactive.map((row) => account.read(row.account ?? null)));
  const left = rows.filter(({ nftItemAddress }) => !isGone.has(nftItemAddress));
  const items = await findItemsAt(reading, options.withItems ? left.map(({ nftItemAddress }) => nftItemAddress) : []);
  const last = rows.length === page.limit ? rows.at(-1) : undefined;
  return {
    auctions: left.map((row) => ({
      row,
      isFinished: row.auctionEndTime !== undefined && row.auctionEndTime <= filter.now,
      item: items.get(row.nftItemAddress),
    })),
    next: last && { endAt: BigInt(last.auctionEndTime ?? 0), item: last.nftItemAddress },
  };
}
