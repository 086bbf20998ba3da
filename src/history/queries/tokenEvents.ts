import { readRoot } from "../../cell/boc.ts";
import { findDecodedBody } from "../../contracts/decode.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { address, addresses, hash, int8, int53 } from "../store/schema/columns.ts";
import { type Row, readRow, selectList, type Table } from "../store/schema/Table.ts";
import { jettonBurns, jettonTransfers, nftTransfers } from "../store/schema/tokenTables.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import { by, type Direction, type ListPage, listed, type Order, type Page } from "./kit/Page.ts";
import { inRange, isByTime, type TimeRange } from "./kit/ranges.ts";
import { isSearchedOn, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";
import { skipRows } from "./kit/skipRows.ts";

export interface TokenEventFilter extends TimeRange {
  /** Senders, receivers or both, by `side`; the owners of burnt jettons. */
  readonly owners: readonly Address[];
  readonly side?: "in" | "out" | undefined;
  /** The sender's jetton wallets, or the NFT items. */
  readonly holders: readonly Address[];
  /** The jetton's master, or the collection. */
  readonly issuer?: Address | undefined;
}

/** Where the events of a kind are, and which columns the filters are for. */
interface EventTable {
  readonly table: Table;
  /** With the logical time it identifies an event. */
  readonly holder: string;
  readonly issuer: string;
  /** The owner before and, if there is one, the owner after the event. */
  readonly owners: readonly [from: string, to?: string];
  /**
   * Whether aborted events are left out; they are not in the indexes of all events either, nor in those of owners in
   * the order of logical times, which have whole addresses.
   */
  readonly isDoneOnly?: true;
}

const jettonTransferEvents: EventTable = {
  table: jettonTransfers,
  holder: "source_wallet",
  issuer: "jetton_master",
  owners: ["source", "destination"],
  isDoneOnly: true,
};

const jettonBurnEvents: EventTable = {
  table: jettonBurns,
  holder: "jetton_wallet",
  issuer: "jetton_master",
  owners: ["owner"],
};

const nftTransferEvents: EventTable = {
  table: nftTransfers,
  holder: "nft_item",
  issuer: "nft_collection",
  owners: ["old_owner", "new_owner"],
};

/** The columns of the owners on the side of the filter. */
function ownerColumns({ owners: [from, to] }: EventTable, { side }: TokenEventFilter): readonly string[] {
  const columns = side === undefined ? [from, to] : side === "in" ? [to] : [from];
  return columns.flatMap((column) => (column === undefined ? [] : [`t.${column}`]));
}

function scansOf(events: EventTable, filter: TokenEventFilter): readonly IndexScan[] {
  const { owners, holders, issuer } = filter;
  const scan = (column: string, keys: readonly Address[], isShort = true) => ({ by: { column, keys, isShort } });
  // The key has the whole holder.
  if (holders.length > 0) return [scan(`t.${events.holder}`, distinct(holders), isByTime(filter))];
  const keys = distinct(owners);
  if (keys.length === 0) return issuer === undefined ? [] : [scan(`t.${events.issuer}`, [issuer])];
  return ownerColumns(events, filter).map((column) => scan(column, keys, !isByWholeOwner(events, filter)));
}

/** Whether events are read along an index of owners with whole addresses. */
const isByWholeOwner = ({ isDoneOnly }: EventTable, filter: TokenEventFilter): boolean =>
  isDoneOnly === true && filter.owners.length > 0 && filter.holders.length === 0 && !isByTime(filter);

/** The condition for owners where another index than theirs is read. */
function ownerCondition(params: Params, events: EventTable, filter: TokenEventFilter): Condition {
  return ifAny(filter.owners, (values) => {
    const list = params.of(addresses, values);
    const conditions = ownerColumns(events, filter).map((column) => `${column} = any(${list})`);
    return conditions.length === 1 ? conditions.join() : `(${conditions.join(" or ")})`;
  });
}

const times = { time: "t.tx_now", lt: "t.tx_lt" };

/** The list of a page of events. */
type EventList = (params: Params) => IndexScansStatement;

function eventList(events: EventTable, filter: TokenEventFilter, page: Page, sort: Direction): EventList {
  return (params) => {
    const isByHolder = filter.holders.length > 0;
    const isByOwner = filter.owners.length > 0 && !isByHolder;
    const isWhole = isByWholeOwner(events, filter);
    const issuer = () =>
      ifSet(filter.issuer, (value) => {
        const [column, given] = [`t.${events.issuer}`, params.of(address, value)];
        return isWhole ? `${column} = ${given}` : isAccount(column, given);
      });
    const { served, checked } = inRange(params, filter, times);
    // The index says it.
    const isSaid = isWhole || (!isByHolder && !isByOwner && filter.issuer === undefined);
    const isDone = events.isDoneOnly ? "not t.tx_aborted" : undefined;
    return {
      select: selectList(events.table, "t"),
      from: `${events.table.name} t`,
      scans: scansOf(events, filter),
      identity: [events.holder, "tx_lt"],
      parted: { table: events.table.name, ...times, where: isDone, range: filter },
      where: [isSaid ? isDone : undefined, isByOwner ? issuer() : undefined, ...served],
      checks: [
        isSaid ? undefined : isDone,
        isByHolder ? ownerCondition(params, events, filter) : undefined,
        isByHolder ? issuer() : undefined,
        ...checked,
      ],
      order: eventOrder(filter, sort),
      page,
    };
  };
}

/** By lt, or by time when a time filter is given. */
function eventOrder(filter: TokenEventFilter, sort: Direction): Order {
  const byLt = [by("t.tx_lt", int8, sort), by("t.tx_hash", hash, sort)];
  return isByTime(filter) ? [by("t.tx_now", int53, sort), ...byLt] : byLt;
}

/** The statement of a page of events, by their filter. */
type EventsSql = (filter: TokenEventFilter, page: Page, sort: Direction, layout?: TableLayout) => Statement;

function sqlOf(events: EventTable): EventsSql {
  return (filter, page, sort, layout) => {
    const params = new Params(layout);
    return mergeIndexScans(params, eventList(events, filter, page, sort)(params));
  };
}

export const jettonTransfersSql = sqlOf(jettonTransferEvents);
export const jettonBurnsSql = sqlOf(jettonBurnEvents);
export const nftTransfersSql = sqlOf(nftTransferEvents);

/** Reads a page of events. */
type ListEvents<E> = (
  reading: HistorySnapshot,
  filter: TokenEventFilter,
  page: Page,
  sort: Direction,
) => Promise<ListPage<E>>;

function listOf<E>(events: EventTable, sql: EventsSql, read: (raw: SqlRow) => E): ListEvents<E> {
  return async (reading, filter, asked, sort) => {
    const skipping = isByWholeOwner(events, filter);
    const page = skipping ? await skipRows(reading, asked, eventList(events, filter, asked, sort)) : asked;
    if (page === undefined) return { items: [], next: undefined };
    const found = await readScans(reading, page, sql(filter, page, sort, reading.layout), {
      scans: eventList(events, filter, page, sort),
      isAlone: isSearchedOn(filter, page),
    });
    return listed(found, { order: eventOrder(filter, sort), page }, read);
  };
}

/** A payload of a transfer. */
interface Payload {
  /** Its bag. */
  readonly boc: Uint8Array;
  /** The decoded content. */
  readonly decoded: JsonObject | undefined;
}

/** An event with the payload for the contract of the token. */
export interface WithCustomPayload<R> {
  readonly row: R;
  readonly customPayload: Payload | undefined;
}

/** A transfer with both its payloads. */
export interface WithPayloads<R> extends WithCustomPayload<R> {
  readonly forwardPayload: Payload | undefined;
}

export type FullJettonTransfer = WithPayloads<Row<typeof jettonTransfers>>;
export type FullJettonBurn = WithCustomPayload<Row<typeof jettonBurns>>;
export type FullNftTransfer = WithPayloads<Row<typeof nftTransfers>>;

function readPayload(boc: Uint8Array | undefined): Payload | undefined {
  return boc && { boc, decoded: findDecodedBody(readRoot(boc)) };
}

function readBurn(raw: SqlRow): FullJettonBurn {
  const row = readRow(jettonBurns, raw);
  return { row, customPayload: readPayload(row.customPayload) };
}

function withPayloads<R extends Pick<Row<typeof jettonTransfers>, "customPayload" | "forwardPayload">>(
  row: R,
): WithPayloads<R> {
  return { row, customPayload: readPayload(row.customPayload), forwardPayload: readPayload(row.forwardPayload) };
}

/** Jetton transfers that were not aborted. */
export const listJettonTransfers = listOf(jettonTransferEvents, jettonTransfersSql, (raw) =>
  withPayloads(readRow(jettonTransfers, raw)),
);

/** Jetton burns, including aborted ones. */
export const listJettonBurns = listOf(jettonBurnEvents, jettonBurnsSql, readBurn);

/** NFT transfers, including aborted ones. */
export const listNftTransfers = listOf(nftTransferEvents, nftTransfersSql, (raw) =>
  withPayloads(readRow(nftTransfers, raw)),
);
