import { type Address, distinct, workchainOf } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { address, int4, int8, int53 } from "../store/schema/columns.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { near, sentWithin } from "./fill/fillTransactions.ts";
import { sameBody } from "./fill/messageSql.ts";
import { findEnds, type OutsideMessages } from "./fill/places.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import {
  columnOf,
  cursorBehind,
  type Direction,
  type FoundRows,
  type ListPage,
  limitOf,
  listed,
  listSql,
  orderBy,
  type Page,
} from "./kit/Page.ts";
import { hasAtMost, isSearchedOn, maxSearchedAlone, readTogether } from "./kit/readPage.ts";
import { type Condition, ifSet, Params, type Statement, whereAll } from "./kit/Statement.ts";
import {
  everyTransaction,
  fillListed,
  findPlaces,
  inOwnWorkchain,
  isBounded,
  joinKeys,
  listTransactions,
  pageOfTransactions,
  passes,
  readTransaction,
  readTransactionRows,
  type SeqnoBlock,
  type TransactionFilter,
  transactionColumns,
  transactionOrder,
} from "./transactions.ts";

/** Conditions on one and the same message of a transaction. */
export interface MessageSideFilter {
  /** By hash or normalized hash. */
  readonly hashes: readonly Hash[];
  readonly bodyHash?: Hash | undefined;
  readonly opcode?: number | undefined;
  readonly source?: Address | undefined;
  readonly destination?: Address | undefined;
  /** Only transactions that received the message, or only those that sent it. */
  readonly direction?: "in" | "out" | undefined;
}

/** Transactions with a message, among those that pass a filter. */
interface SideFilter {
  readonly transactions: TransactionFilter;
  readonly message: MessageSideFilter;
}

/** How the transactions of messages are found. */
export type MessageWay =
  /** From the messages. */
  | { readonly kind: "found" }
  /** Along the transactions that pass the other filters, at most this many: the result may be incomplete. */
  | { readonly kind: "walked"; readonly max: number; readonly places?: readonly SeqnoBlock[] | undefined };

const messageWay: MessageWay = { kind: "found" };

/** The order of a list; two equal accounts are one. */
const orderOfSide = ({ transactions }: SideFilter, sort: Direction) =>
  transactionOrder({ ...transactions, accounts: distinct(transactions.accounts) }, sort);

/** All conditions but those on the hashes. */
function messageConditions(params: Params, filter: Omit<MessageSideFilter, "hashes">): readonly Condition[] {
  return [
    ifSet(filter.bodyHash, (value) => sameBody(params, value)),
    ifSet(filter.source, (value) => `m.source = ${params.of(address, value)}`),
    ifSet(filter.destination, (value) => `m.destination = ${params.of(address, value)}`),
    ifSet(filter.opcode, (value) => `m.opcode = ${params.of(int4, value)}`),
  ];
}

/**
 * By a value that few messages have, the messages are found first. For a value that very many messages
 * share it is faster to walk the transactions until enough of them received or sent such a message.
 */
export function transactionsByMessageSql(
  side: SideFilter,
  page: Page,
  sort: Direction,
  way: MessageWay = messageWay,
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  const order = orderOfSide(side, sort);
  if (way.kind === "walked" && params.layout === "single") {
    const walked = walkedRows(params, side, page, sort, way);
    return params.statement(`
      select ${transactionColumns} from (${walked}) t where ${isAtEnd(params, side.message)}
      ${orderBy(order)} ${limitOf(params, page)}`);
  }
  const ends = way.kind === "walked" ? endsOfWalked(params, side, page, sort, way) : endsOfFound(params, side);
  const from = `(${ends}) t`;
  return joinKeys(params, listSql(params, { select: keyColumns("t"), from, where: [], order, page }), order);
}

/** The columns that identify a transaction, and those of all orders. */
const keyColumns = (alias: string) => ["account", "lt", "now", "hash"].map((name) => `${alias}.${name}`).join(", ");

/** The transactions that are walked, in order. */
function walkedRows(
  params: Params,
  { transactions }: SideFilter,
  { cursor }: Page,
  sort: Direction,
  { max, places }: Extract<MessageWay, { readonly kind: "walked" }>,
): string {
  return pageOfTransactions(params, transactions, { limit: max, offset: 0, cursor }, sort, places).text;
}

/** From this many messages with the same value on, transactions are walked. Each looks into every partition. */
export const maxFound = 800;
/** Up to this many messages are found faster than anything is walked. */
const fewFound = 500;
/** How many transactions are walked: each is checked by looking up its messages in every partition. */
const maxWalked = 800;
/** How many are walked at once after these, where a list is walked on. */
const walkedOn = 4_000;
/** When a walk has not filled the page, up to this many messages are found rather than walked on for. */
const manyFound = 4_000;

/** The number of messages that one of the filters finds, counted up to `max`. */
export function messageCountSql(filter: Omit<MessageSideFilter, "hashes">, max: number = maxFound): Statement {
  const params = new Params();
  const found = whereAll(messageConditions(params, filter));
  return params.statement(`
    select count(*) as count from (
      select 1 from messages m ${found} limit ${params.of(int8, BigInt(max))}
    ) m`);
}

async function countOf(
  reading: HistorySnapshot,
  filter: Omit<MessageSideFilter, "hashes">,
  max: number,
): Promise<number> {
  const [row = {}] = await reading.query(messageCountSql(filter, max));
  return int53.read(columnOf(row, "count"));
}

/** The filters on messages that a request has, one by one. */
function listOnes({ bodyHash, source, destination, opcode }: MessageSideFilter) {
  return [{ bodyHash }, { source }, { destination }, { opcode }].filter((one) =>
    Object.values(one).some((value) => value !== undefined),
  );
}

/** Whether one of the filters finds few enough messages to find them all. */
async function isFound(reading: HistorySnapshot, message: MessageSideFilter): Promise<boolean> {
  for (const one of listOnes(message)) if ((await countOf(reading, one, manyFound)) < manyFound) return true;
  return false;
}

/**
 * Checking a transaction costs about as much as finding one from its message: walking as many as would be found loses
 * no more than that when the page is not full, and is much faster when the messages are spread evenly.
 */
export async function wayOf(reading: HistorySnapshot, message: MessageSideFilter): Promise<MessageWay> {
  let max = maxWalked;
  for (const one of listOnes(message)) {
    const count = await countOf(reading, one, maxFound);
    if (count <= fewFound) return messageWay;
    max = Math.min(max, count);
  }
  return { kind: "walked", max };
}

/** Conditions on the messages `m`, and whether senders, receivers or both are wanted. */
function messagesMeant(params: Params, filter: MessageSideFilter) {
  const conditions = messageConditions(params, filter);
  const sides = filter.direction === undefined ? ["in", "out"] : [filter.direction];
  return { meant: conditions.filter((each) => each !== undefined).join(" and "), sides };
}

function endsOfFound(params: Params, { transactions, message }: SideFilter): string {
  const { meant, sides } = messagesMeant(params, message);
  // Logical times bound the partitions that are looked into.
  const isReceiver = "t.in_msg_hash = m.hash and t.lt >= m.lt";
  const isSender = `t.hash = m.out_tx_hash and t.lt < m.lt and t.lt > m.lt - ${sentWithin}`;
  // A transaction may have sent several of the messages; when both sides are wanted, the union removes duplicates.
  const select = `select ${sides.length === 1 ? "distinct " : ""}${keyColumns("t")}`;
  const others = passes(params, transactions);
  const found = `select m.hash, m.out_tx_hash, m.lt, m.created_lt, m.destination from messages m where ${meant}`;
  const end = (from: string, side: string) =>
    `${select} from ${from} m join transactions t on ${side === "in" ? isReceiver : isSender} ${whereAll(others)}`;
  // A subquery, which a cluster runs first: messages and transactions are distributed by different columns.
  if (params.layout !== "single") return sides.map((side) => end(`(${found})`, side)).join(" union ");
  // What the chain created is received once, nearly always in the first partition that is looked into.
  const received = `
    ${select} from found m cross join lateral (
      select * from transactions t where ${isReceiver} limit case when m.created_lt is null then null else 1 end
    ) t ${whereAll(["m.destination is not null", ...others])}`;
  // Once for both sides: the statement is planned for each partition of messages once, and reads the messages once.
  const ends = sides.map((side) => (side === "in" ? received : end("found", side)));
  return `with found as materialized (${found}) ${ends.join(" union ")}`;
}

/**
 * The same rows as a walk finds, for a cluster: it cannot check transactions one by one for messages that are on other
 * machines, so all that may be walked are joined with their messages.
 */
function endsOfWalked(
  params: Params,
  side: SideFilter,
  page: Page,
  sort: Direction,
  way: Extract<MessageWay, { readonly kind: "walked" }>,
): string {
  const { meant, sides } = messagesMeant(params, side.message);
  const walked = walkedRows(params, side, page, sort, way);
  const isEnd = (end: string) => (end === "in" ? "m.hash = w.in_msg_hash" : "m.out_tx_hash = w.hash");
  const select = `select ${sides.length === 1 ? "distinct " : ""}${keyColumns("w")} from (${walked}) w`;
  return sides.map((end) => `${select} join messages m on ${isEnd(end)} where ${meant}`).join(" union ");
}

function isAtEnd(params: Params, filter: MessageSideFilter): string {
  const { meant, sides } = messagesMeant(params, filter);
  // One by one: a condition that the planner can turn into a join might start at the wrong side.
  const first = (end: string) => `(select (${meant}) is true from messages m where ${end} limit 1)`;
  const received = "m.hash = t.in_msg_hash and m.lt";
  const sent = `m.out_tx_hash = t.hash and m.lt > t.lt and m.lt < t.lt + ${sentWithin}`;
  const some = sides.map((side) =>
    side === "in"
      ? // What a message has is the same in all its rows: nearly always one is in the partition of its receiver.
        `coalesce(
          ${first(`${received} <= t.lt and m.lt > t.lt - ${near}`)}, ${first(`${received} <= t.lt - ${near}`)}, false)`
      : `(select 1 from messages m where ${sent} and ${meant} limit 1) is not null`,
  );
  return `(${some.join(" or ")})`;
}

async function rowsByMessage(
  reading: HistorySnapshot,
  side: SideFilter,
  page: Page,
  sort: Direction,
): Promise<FoundRows> {
  const { transactions, message } = side;
  const { layout } = reading;
  if (message.hashes.length > 0) return rowsByHash(reading, side, page, sort);
  const way = await wayOf(reading, message);
  const rowsAlong = async (along: MessageWay) => ({
    rows: await reading.query(transactionsByMessageSql(side, page, sort, along, layout)),
  });
  if (way.kind === "found") return rowsAlong(way);
  const places = await findPlaces(reading, transactions);
  if (places?.length === 0) return { rows: [] };
  const isAlone = isSearchedOn({ ...transactions, ...message, hashes: transactions.hashes }, page);
  const max = isAlone ? maxSearchedAlone : isBounded(transactions) ? walkedOn : way.max;
  const first = await findWalked(reading, side, page, sort, { ...way, places }, Math.min(max, way.max));
  if (first.edge === undefined) return first;
  if (await isFound(reading, message)) return rowsAlong(messageWay);
  return max <= way.max ? first : findWalked(reading, side, page, sort, { ...way, places }, max);
}

/**
 * The filter of transactions that received external messages; `undefined` when the others leave none of their accounts.
 */
function receivedAmong(filter: TransactionFilter, outside: OutsideMessages): TransactionFilter | undefined {
  const { accounts: own, workchain } = filter;
  const accounts = outside.accounts.filter(
    (each) => (own.length === 0 || own.includes(each)) && (workchain ?? workchainOf(each)) === workchainOf(each),
  );
  if (accounts.length === 0) return undefined;
  return { ...filter, workchain: isBounded(filter) ? workchain : undefined, received: { ...outside, accounts } };
}

/** Those at the ends of messages that hashes name, and those of accounts that received such a message very often. */
async function rowsByHash(reading: HistorySnapshot, side: SideFilter, page: Page, sort: Direction): Promise<FoundRows> {
  const { transactions, message } = side;
  const others = (params: Params) => messageConditions(params, message);
  const { places, outside } = await findEnds(reading, { ...message, others });
  const received = outside && receivedAmong(transactions, outside);
  const filters: readonly TransactionFilter[] = [
    ...(places.length === 0 ? [] : [{ ...transactions, places }]),
    ...(received === undefined ? [] : [received]),
  ];
  const order = orderOfSide(side, sort);
  const readList = (filter: TransactionFilter) => (part: Page) =>
    readTransactionRows(reading, filter, part, sort, { places: undefined });
  return readTogether(
    order,
    page,
    filters.map((filter) => ({ order, read: readList(filter) })),
  );
}

/** Walks so many transactions, part by part. */
async function findWalked(
  reading: HistorySnapshot,
  side: SideFilter,
  page: Page,
  sort: Direction,
  way: Extract<MessageWay, { readonly kind: "walked" }>,
  max: number,
): Promise<FoundRows> {
  const { layout } = reading;
  const enough = page.limit + page.offset;
  const rows: SqlRow[] = [];
  let next: Page = { limit: enough, offset: 0, cursor: page.cursor };
  for (let [walked, part] = [0, way.max]; walked < max; walked += part, part = walkedOn) {
    const own = { ...way, max: part };
    rows.push(...(await reading.query(transactionsByMessageSql(side, next, sort, own, layout))));
    if (rows.length >= enough) break;
    const edge = { limit: 2, offset: part - 1, cursor: next.cursor };
    const walkedTo = await readTransactionRows(reading, side.transactions, edge, sort, {
      places: way.places,
      isAlone: max === maxSearchedAlone,
    });
    const [last, more] = walkedTo.rows;
    const cursor =
      last === undefined || more === undefined ? walkedTo.edge : cursorBehind(orderOfSide(side, sort), last);
    if (cursor === undefined) return { rows: rows.slice(page.offset) };
    next = { limit: enough - rows.length, offset: 0, cursor };
  }
  return { rows: rows.slice(page.offset, enough), edge: rows.length < enough ? next.cursor : undefined };
}

/** The transaction that received a message is on its destination, the one that sent it on its source. */
function onOwnAccount({ transactions, message }: SideFilter): SideFilter | undefined {
  const { direction, opcode } = message;
  const own = direction === "in" ? message.destination : direction === "out" ? message.source : undefined;
  const { accounts } = transactions;
  if (own !== undefined && accounts.length > 0 && !accounts.includes(own)) return undefined;
  const among = own === undefined ? transactions : { ...transactions, accounts: [own] };
  const isReceived = direction === "in" && opcode !== undefined;
  return {
    transactions: isReceived ? { ...among, inOpcode: opcode } : among,
    message: isReceived ? { ...message, opcode: undefined } : message,
  };
}

/** Transactions that received or sent the messages, each once. */
export async function listTransactionsByMessage(
  reading: HistorySnapshot,
  message: MessageSideFilter,
  page: Page,
  sort: Direction,
  transactions: TransactionFilter = everyTransaction,
): Promise<ListPage<FullTransaction>> {
  const narrowed = onOwnAccount({ transactions, message });
  const filter = narrowed && inOwnWorkchain(narrowed.transactions);
  if (narrowed === undefined || filter === undefined) return { items: [], next: undefined };
  const side = { transactions: filter, message: narrowed.message };
  if (hasAtMost(0, { ...side.message, direction: undefined })) return listTransactions(reading, filter, page, sort);
  const found = await rowsByMessage(reading, side, page, sort);
  return fillListed(reading, listed(found, { order: orderOfSide(side, sort), page }, readTransaction));
}
