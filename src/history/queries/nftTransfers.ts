import type { Address } from "../../model/Address.ts";
import type { TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { address, addresses } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { nftTransfers } from "../store/schema/tables.ts";
import { distinct } from "./kit/distinct.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import { type Direction, type ListPage, listed, type Page } from "./kit/Page.ts";
import { hasAtMost, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";
import { type EventRange, eventOrder, inRange, type Payload, readPayload } from "./kit/tokenEvents.ts";

export interface NftTransferFilter extends EventRange {
  /** Senders, receivers or both, by `side`. */
  readonly owners: readonly Address[];
  readonly side?: "in" | "out" | undefined;
  readonly items: readonly Address[];
  readonly collection?: Address | undefined;
}

/** An NFT transfer with its payloads. */
export interface FullNftTransfer {
  readonly row: Row<typeof nftTransfers>;
  readonly customPayload: Payload | undefined;
  readonly forwardPayload: Payload | undefined;
}

function transferScans({ owners, side, items, collection }: NftTransferFilter): readonly IndexScan[] {
  if (items.length > 0) return [{ by: { column: "t.nft_item", keys: distinct(items), isShort: true } }];
  const keys = distinct(owners);
  if (keys.length === 0)
    return collection === undefined ? [] : [{ by: { column: "t.nft_collection", keys: [collection], isShort: true } }];
  const given = { by: { column: "t.old_owner", keys, isShort: true } };
  const got = { by: { column: "t.new_owner", keys, isShort: true } };
  return side === undefined ? [given, got] : side === "in" ? [got] : [given];
}

function ownerCondition(params: Params, { owners, side, items }: NftTransferFilter): Condition {
  if (items.length === 0) return undefined;
  return ifAny(owners, (values) => {
    const list = params.of(addresses, values);
    const [given, got] = [`t.old_owner = any(${list})`, `t.new_owner = any(${list})`];
    return side === undefined ? `(${given} or ${got})` : side === "in" ? got : given;
  });
}

function transfersList(params: Params, filter: NftTransferFilter, page: Page, sort: Direction): IndexScansStatement {
  const isByItem = filter.items.length > 0;
  const isByOwner = filter.owners.length > 0 && !isByItem;
  const collection = () =>
    ifSet(filter.collection, (value) => isAccount("t.nft_collection", params.of(address, value)));
  const { served, checked } = inRange(params, filter);
  return {
    select: selectList(nftTransfers, "t"),
    from: "nft_transfers t",
    scans: transferScans(filter),
    identity: ["nft_item", "tx_lt"],
    where: [isByOwner ? collection() : undefined, ...served],
    checks: [ownerCondition(params, filter), isByItem ? collection() : undefined, ...checked],
    order: eventOrder(filter, sort),
    page,
  };
}

export function nftTransfersSql(
  filter: NftTransferFilter,
  page: Page,
  sort: Direction,
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  return mergeIndexScans(params, transfersList(params, filter, page, sort));
}

/** NFT transfers, including aborted ones. */
export async function listNftTransfers(
  reading: HistorySnapshot,
  filter: NftTransferFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<FullNftTransfer>> {
  const rows = await readScans(reading, page, nftTransfersSql(filter, page, sort, reading.layout), {
    scans: (params) => transfersList(params, filter, page, sort),
    isAlone: hasAtMost(1, filter),
  });
  return listed(rows, { order: eventOrder(filter, sort), page }, (raw) => {
    const row = readRow(nftTransfers, raw);
    return { row, customPayload: readPayload(row.customPayload), forwardPayload: readPayload(row.forwardPayload) };
  });
}
