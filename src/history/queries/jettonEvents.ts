import type { Address } from "../../model/Address.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { address, addresses } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { jettonBurns, jettonTransfers } from "../store/schema/tables.ts";
import { distinct } from "./kit/distinct.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import { type Direction, type ListPage, listed, type Page } from "./kit/Page.ts";
import { hasAtMost, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";
import { type EventRange, eventOrder, inRange, type Payload, readPayload } from "./kit/tokenEvents.ts";

export interface JettonTransferFilter extends EventRange {
  /** Senders, receivers or both, by `side`. */
  readonly owners: readonly Address[];
  readonly side?: "in" | "out" | undefined;
  /** The sender's jetton wallets. */
  readonly wallets: readonly Address[];
  readonly master?: Address | undefined;
}

/** A jetton transfer with its payloads. */
export interface FullJettonTransfer {
  readonly row: Row<typeof jettonTransfers>;
  readonly customPayload: Payload | undefined;
  readonly forwardPayload: Payload | undefined;
}

function transferScans({ owners, side, wallets, master }: JettonTransferFilter): readonly IndexScan[] {
  if (wallets.length > 0) return [{ by: { column: "t.source_wallet", keys: distinct(wallets), isShort: true } }];
  const keys = distinct(owners);
  if (keys.length === 0)
    return master === undefined ? [] : [{ by: { column: "t.jetton_master", keys: [master], isShort: true } }];
  const sent = { by: { column: "t.source", keys, isShort: true } };
  const received = { by: { column: "t.destination", keys, isShort: true } };
  return side === undefined ? [sent, received] : side === "in" ? [received] : [sent];
}

function ownerCondition(params: Params, { owners, side, wallets }: JettonTransferFilter): Condition {
  if (wallets.length === 0) return undefined;
  return ifAny(owners, (values) => {
    const list = params.of(addresses, values);
    const [sent, received] = [`t.source = any(${list})`, `t.destination = any(${list})`];
    return side === undefined ? `(${sent} or ${received})` : side === "in" ? received : sent;
  });
}

function transfersList(params: Params, filter: JettonTransferFilter, page: Page, sort: Direction): IndexScansStatement {
  const isByWallet = filter.wallets.length > 0;
  const isByOwner = filter.owners.length > 0 && !isByWallet;
  const master = () => ifSet(filter.master, (value) => isAccount("t.jetton_master", params.of(address, value)));
  const { served, checked } = inRange(params, filter);
  const isOfAll = !isByWallet && !isByOwner && filter.master === undefined;
  const isDone = "not t.tx_aborted";
  return {
    select: selectList(jettonTransfers, "t"),
    from: "jetton_transfers t",
    scans: transferScans(filter),
    identity: ["source_wallet", "tx_lt"],
    // Aborted transfers are not in the indexes of all transfers.
    where: [isOfAll ? isDone : undefined, isByOwner ? master() : undefined, ...served],
    checks: [
      isOfAll ? undefined : isDone,
      ownerCondition(params, filter),
      isByWallet ? master() : undefined,
      ...checked,
    ],
    order: eventOrder(filter, sort),
    page,
  };
}

export function jettonTransfersSql(
  filter: JettonTransferFilter,
  page: Page,
  sort: Direction,
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  return mergeIndexScans(params, transfersList(params, filter, page, sort));
}

/** Jetton transfers that were not aborted. */
export async function listJettonTransfers(
  reading: HistorySnapshot,
  filter: JettonTransferFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<FullJettonTransfer>> {
  const rows = await readScans(reading, page, jettonTransfersSql(filter, page, sort, reading.layout), {
    scans: (params) => transfersList(params, filter, page, sort),
    isAlone: hasAtMost(1, filter),
  });
  return listed(rows, { order: eventOrder(filter, sort), page }, readTransfer);
}

function readTransfer(raw: SqlRow): FullJettonTransfer {
  const row = readRow(jettonTransfers, raw);
  return { row, customPayload: readPayload(row.customPayload), forwardPayload: readPayload(row.forwardPayload) };
}

export interface JettonBurnFilter extends EventRange {
  readonly owners: readonly Address[];
  readonly wallets: readonly Address[];
  readonly master?: Address | undefined;
}

/** A jetton burn with its payload. */
export interface FullJettonBurn {
  readonly row: Row<typeof jettonBurns>;
  readonly customPayload: Payload | undefined;
}

function burnScans({ owners, wallets, master }: JettonBurnFilter): readonly IndexScan[] {
  if (wallets.length > 0) return [{ by: { column: "t.jetton_wallet", keys: distinct(wallets), isShort: true } }];
  if (owners.length > 0) return [{ by: { column: "t.owner", keys: distinct(owners), isShort: true } }];
  return master === undefined ? [] : [{ by: { column: "t.jetton_master", keys: [master], isShort: true } }];
}

function burnsList(params: Params, filter: JettonBurnFilter, page: Page, sort: Direction): IndexScansStatement {
  const isByWallet = filter.wallets.length > 0;
  const isByOwner = filter.owners.length > 0 && !isByWallet;
  const master = () => ifSet(filter.master, (value) => isAccount("t.jetton_master", params.of(address, value)));
  const { served, checked } = inRange(params, filter);
  return {
    select: selectList(jettonBurns, "t"),
    from: "jetton_burns t",
    scans: burnScans(filter),
    identity: ["jetton_wallet", "tx_lt"],
    where: [isByOwner ? master() : undefined, ...served],
    checks: [
      isByWallet ? ifAny(filter.owners, (values) => `t.owner = any(${params.of(addresses, values)})`) : undefined,
      isByWallet ? master() : undefined,
      ...checked,
    ],
    order: eventOrder(filter, sort),
    page,
  };
}

export function jettonBurnsSql(filter: JettonBurnFilter, page: Page, sort: Direction, layout?: TableLayout): Statement {
  const params = new Params(layout);
  return mergeIndexScans(params, burnsList(params, filter, page, sort));
}

/** Jetton burns, including aborted ones. */
export async function listJettonBurns(
  reading: HistorySnapshot,
  filter: JettonBurnFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<FullJettonBurn>> {
  const rows = await readScans(reading, page, jettonBurnsSql(filter, page, sort, reading.layout), {
    scans: (params) => burnsList(params, filter, page, sort),
    isAlone: hasAtMost(1, filter),
  });
  return listed(rows, { order: eventOrder(filter, sort), page }, (raw) => {
    const row = readRow(jettonBurns, raw);
    return { row, customPayload: readPayload(row.customPayload) };
  });
}
