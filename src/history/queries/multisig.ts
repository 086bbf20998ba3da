import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { multisigOrders } from "../entities/multisigOrders.ts";
import { multisigs } from "../entities/multisigs.ts";
import { addresses } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { mergeIndexScans } from "./kit/indexScans.ts";
import { type Direction, insertionOrder, listSql, type Page } from "./kit/Page.ts";
import { listQuery } from "./kit/readPage.ts";
import { ifAny, Params, type Statement, selectRowsAt } from "./kit/Statement.ts";

export type MultisigRow = Row<typeof multisigs>;
export type MultisigOrderRow = Row<typeof multisigOrders>;

export interface MultisigFilter {
  readonly addresses: readonly Address[];
  /** Signers or proposers. */
  readonly members: readonly Address[];
}

export function multisigsSql(filter: MultisigFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  return listSql(params, {
    select: selectList(multisigs, "t"),
    from: "multisigs t",
    where: [
      ifAny(filter.addresses, (values) => `t.address = any(${params.of(addresses, values)})`),
      ifAny(filter.members, (values) => {
        const members = params.of(addresses, values);
        const having = (column: string) => `select m.address from multisigs m where m.${column} && ${members}`;
        return `t.address in (${having("signers")} union ${having("proposers")})`;
      }),
    ],
    order: insertionOrder(sort),
    page,
  });
}

/** Multisig wallets, ordered by first appearance. */
export const listMultisigs = listQuery(multisigsSql, insertionOrder, (row) => readRow(multisigs, row));

export function ordersOfSql(of: readonly Address[]): Statement {
  return selectRowsAt(multisigOrders, "multisig_address", of, "t.id, t.address");
}

/** All orders of multisig wallets, each wallet's ordered by first appearance. */
export async function findOrdersOf(
  reading: HistorySnapshot,
  of: readonly Address[],
): Promise<ReadonlyMap<Address, readonly MultisigOrderRow[]>> {
  const found = new Map<Address, MultisigOrderRow[]>(of.map((wallet) => [wallet, []]));
  if (of.length === 0) return found;
  for (const order of await reading.rows(multisigOrders, ordersOfSql(of)))
    found.get(order.multisigAddress)?.push(order);
  return found;
}

export interface MultisigOrderFilter {
  readonly addresses: readonly Address[];
  readonly multisigs: readonly Address[];
}

export function multisigOrdersSql(filter: MultisigOrderFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const wallets = distinct(filter.multisigs);
  const isBounded = filter.addresses.length > 0;
  return mergeIndexScans(params, {
    select: selectList(multisigOrders, "t"),
    from: "multisig_orders t",
    scans: isBounded || wallets.length === 0 ? [] : [{ by: { column: "t.multisig_address", keys: wallets } }],
    identity: ["address"],
    where: [
      ifAny(filter.addresses, (values) => `t.address = any(${params.of(addresses, values)})`),
      isBounded ? ifAny(wallets, (values) => `t.multisig_address = any(${params.of(addresses, values)})`) : undefined,
    ],
    order: insertionOrder(sort),
    page,
  });
}

/** Multisig orders, ordered by first appearance. */
export const listMultisigOrders = listQuery(multisigOrdersSql, insertionOrder, (row) => readRow(multisigOrders, row));
