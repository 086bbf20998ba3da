import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import { address, hashes, int4, int8, int53 } from "../store/schema/columns.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { sameBody } from "./fill/sameBody.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import {
  by,
  columnOf,
  type Direction,
  type ListPage,
  type ListStatement,
  listed,
  listSql,
  makeSearched,
  type Order,
  type Page,
  unsearched,
} from "./kit/Page.ts";
import { hasAtMost, readMerged } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement, whereAll } from "./kit/Statement.ts";
import { fillListed, joinKeys, readTransaction, transactionColumns } from "./transactions.ts";

export interface MessageSideFilter {
  readonly hashes: readonly Hash[];
  readonly bodyHash?: Hash | undefined;
  /** Opcode of the received message; then only receivers count. */
  readonly opcode?: number | undefined;
  readonly source?: Address | undefined;
  readonly destination?: Address | undefined;
  readonly direction?: "in" | "out" | undefined;
}

/** How the transactions of messages are found. */
export type MessageWay =
  /** From the messages. */
  | { readonly kind: "found" }
  /** Along all transactions in order, at most this many: the result may be incomplete. */
  | { readonly kind: "walked"; readonly max: number };

const messageWay: MessageWay = { kind: "found" };
const orderOf = (sort: Direction): Order => [by("t.lt", int8, sort), by("t.account", address, "asc")];

function messageConditions(params: Params, filter: MessageSideFilter): readonly Condition[] {
  return [
    ifAny(filter.hashes, (values) => {
      const list = params.of(hashes, values);
      return `(m.hash = any(${list}) or m.hash_norm = any(${list}))`;
    }),
    ifSet(filter.bodyHash, (value) => sameBody(params, value)),
    ifSet(filter.source, (value) => isAccount("m.source", params.of(address, value))),
    ifSet(filter.destination, (value) => isAccount("m.destination", params.of(address, value))),
  ];
}

/**
 * By hashes the messages are found first. By opcode the received messages are read in order, and for a body that very
 * many messages share it is faster to walk the transactions until enough of them received or sent it.
 */
export function transactionsByMessageSql(
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
  way: MessageWay = messageWay,
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  const order = orderOf(sort);
  const isWalked = way.kind === "walked";
  if (isWalked && params.layout === "single") return listSql(params, walkedList(params, filter, page, sort, way.max));
  const ends = isWalked ? endsOfWalked(params, filter, page, sort, way.max) : endsOfFound(params, filter);
  const from = `(${ends}) t`;
  return joinKeys(params, listSql(params, { select: "t.account, t.lt", from, where: [], order, page }), order);
}

/** Transactions in order, those with the opcode where that is enough, each checked for the messages that are meant. */
function walkedList(
  params: Params,
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
  max: number,
): ListStatement {
  const { opcode, bodyHash } = filter;
  const list = { select: transactionColumns, from: "transactions t", order: orderOf(sort), page, maxSearched: max };
  return opcode !== undefined && bodyHash === undefined
    ? { ...list, ...byOpcode(params, filter, opcode) }
    : { ...list, where: [], checks: [isAtEnd(params, filter)] };
}

/** From this many messages with the same body on, transactions are walked. Each looks into every partition. */
export const maxFound = 800;
/** Up to this many messages are found faster than anything is walked. */
const fewFound = 500;
/** How many transactions are walked: each is checked by looking up its messages in every partition. */
const maxWalked = 800;
/** A message is sent within this many logical times after the start of its transaction: a few hundred at most. */
const sentWithin = 1 << 20;

/** The number of messages that one of the filters finds, counted up to `maxFound`. */
export function messageCountSql(filter: Omit<MessageSideFilter, "hashes">): Statement {
  const params = new Params();
  const found = whereAll(messageConditions(params, { ...filter, hashes: [] }));
  return params.statement(`
    select count(*) as count from (
      select 1 from messages m ${found} limit ${params.of(int8, BigInt(maxFound))}
    ) m`);
}

async function countOf(reading: HistorySnapshot, filter: Omit<MessageSideFilter, "hashes">): Promise<number> {
  const [row = {}] = await reading.query(messageCountSql(filter));
  return int53.read(columnOf(row, "count"));
}

/**
 * Checking a transaction costs about as much as finding one from its message: walking as many as would be found loses
 * no more than that when the page is not full, and is much faster when the body is spread evenly.
 */
export async function wayOf(
  reading: HistorySnapshot,
  { hashes, bodyHash, opcode }: MessageSideFilter,
): Promise<MessageWay> {
  if (hashes.length > 0) return messageWay;
  if (bodyHash === undefined) return opcode === undefined ? messageWay : { kind: "walked", max: maxWalked };
  const count = await countOf(reading, { bodyHash });
  return count <= fewFound ? messageWay : { kind: "walked", max: Math.min(count, maxWalked) };
}

/** The transactions that received a message with the opcode, and what their messages are checked for. */
function byOpcode(
  params: Params,
  filter: MessageSideFilter,
  opcode: number,
): { readonly where: readonly Condition[]; readonly checks: readonly Condition[] } {
  const more = messageConditions(params, filter).filter((each) => each !== undefined);
  // Counted one by one, for the same reason as in `isAtEnd`.
  const own = `(select 1 from messages m where m.hash = t.in_msg_hash and ${more.join(" and ")} limit 1) is not null`;
  return { where: [`t.in_opcode = ${params.of(int4, opcode)}`], checks: more.length === 0 ? [] : [own] };
}

/** Conditions on the messages `m`, and whether senders, receivers or both are wanted. */
function messagesMeant(params: Params, filter: MessageSideFilter) {
  const opcode = ifSet(filter.opcode, (value) => `m.opcode = ${params.of(int4, value)}`);
  const conditions = messageConditions(params, filter).concat(opcode);
  const isReceivedOnly = filter.direction === "in" || filter.opcode !== undefined;
  const sides = isReceivedOnly ? ["in"] : filter.direction === "out" ? ["out"] : ["in", "out"];
  return { meant: conditions.filter((each) => each !== undefined).join(" and "), sides };
}

function endsOfFound(params: Params, filter: MessageSideFilter): string {
  const { meant, sides } = messagesMeant(params, filter);
  // Logical times bound the partitions that are looked into.
  const isEnd = (side: string) =>
    side === "in"
      ? "e.in_msg_hash = m.hash and e.lt >= m.lt"
      : `e.hash = m.out_tx_hash and e.lt < m.lt and e.lt > m.lt - ${sentWithin}`;
  // A transaction may have sent several of the messages; when both sides are wanted, the union removes duplicates.
  const select = `select ${sides.length === 1 ? "distinct " : ""}e.account, e.lt`;
  // A subquery, which a cluster runs first: messages and transactions are distributed by different columns.
  const found = `(select m.hash, m.out_tx_hash, m.lt from messages m where ${meant}) m`;
  return sides.map((side) => `${select} from ${found} join transactions e on ${isEnd(side)}`).join(" union ");
}

/**
 * The same rows as a walk finds, for a cluster: it cannot check transactions one by one for messages that are on other
 * machines, so all that may be walked are joined with their messages.
 */
function endsOfWalked(params: Params, filter: MessageSideFilter, page: Page, sort: Direction, max: number): string {
  const { opcode, bodyHash } = filter;
  const { meant, sides } = messagesMeant(params, filter);
  const isByOpcode = opcode !== undefined && bodyHash === undefined;
  const walked = listSql(params, {
    select: "t.account, t.lt, t.hash, t.in_msg_hash",
    from: "transactions t",
    where: isByOpcode ? [`t.in_opcode = ${params.of(int4, opcode)}`] : [],
    order: orderOf(sort),
    page: { limit: max, offset: 0, cursor: page.cursor },
  }).text;
  const isEnd = (side: string) => (side === "in" ? "m.hash = w.in_msg_hash" : "m.out_tx_hash = w.hash");
  const select = `select ${sides.length === 1 ? "distinct " : ""}w.account, w.lt from (${walked}) w`;
  return sides.map((side) => `${select} join messages m on ${isEnd(side)} where ${meant}`).join(" union ");
}

function isAtEnd(params: Params, filter: MessageSideFilter): string {
  const { meant, sides } = messagesMeant(params, filter);
  const isEnd = (side: string) =>
    side === "in"
      ? "m.hash = t.in_msg_hash and m.lt <= t.lt"
      : `m.out_tx_hash = t.hash and m.lt > t.lt and m.lt < t.lt + ${sentWithin}`;
  // Counted one by one: a condition that the planner can turn into a join might start at the wrong side.
  const some = sides.map((side) => `(select 1 from messages m where ${isEnd(side)} and ${meant} limit 1) is not null`);
  return `(${some.join(" or ")})`;
}

async function rowsByMessage(
  reading: HistorySnapshot,
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
): Promise<readonly SqlRow[]> {
  const way = await wayOf(reading, filter);
  const { layout } = reading;
  const rows = await reading.query(transactionsByMessageSql(filter, page, sort, way, layout));
  if (way.kind === "found" || rows.length >= page.limit || isServed(filter)) return rows;
  const { bodyHash, source, destination } = filter;
  for (const one of [{ bodyHash }, { source }, { destination }]) {
    if (Object.values(one).every((value) => value === undefined)) continue;
    if ((await countOf(reading, one)) >= maxFound) continue;
    return reading.query(transactionsByMessageSql(filter, page, sort, messageWay, layout));
  }
  const left = (max: number) => {
    const params = new Params();
    return makeSearched(params, walkedList(params, filter, page, sort, max));
  };
  const more = left(way.max);
  if (more === undefined || (await reading.query(more)).length === 0) return rows;
  if (!hasAtMost(1, filter)) throw unsearched();
  const sql = (max: number) => transactionsByMessageSql(filter, page, sort, { kind: "walked", max }, layout);
  return readMerged(reading, page, { sql, left, isAlone: true });
}

/** Whether the index of opcodes alone finds the transactions. */
function isServed({ bodyHash, source, destination }: MessageSideFilter): boolean {
  return bodyHash === undefined && source === undefined && destination === undefined;
}

/** Transactions that received or sent the messages, each once. */
export async function listTransactionsByMessage(
  reading: HistorySnapshot,
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<FullTransaction>> {
  const rows = await rowsByMessage(reading, filter, page, sort);
  return fillListed(reading, listed(rows, { order: orderOf(sort), page }, readTransaction));
}
