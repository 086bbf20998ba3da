import { systemClock } from "../../lib/clock.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { type Address, distinct } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount, shortAccount } from "../store/schema/accountKey.ts";
import { address, addresses, hash, hashes, int4, int8, int8s, int53, nullable } from "../store/schema/columns.ts";
import { describeMessages } from "./fill/bodyMeaning.ts";
import type { FullMessage } from "./fill/FullTransaction.ts";
import { type HashesAt, hashesAt, messageColumns, readMessage } from "./fill/fillTransactions.ts";
import { sameBody } from "./fill/messageSql.ts";
import { findMessages, findOutside, hasHash, isCreated, refuseTooMany } from "./fill/places.ts";
import { findReceivers } from "./fill/receivers.ts";
import { skipExternals } from "./fill/skipExternals.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import {
  by,
  byFirstBytes,
  columnOf,
  type Direction,
  type FoundRows,
  isByOffset,
  type ListPage,
  type ListStatement,
  listed,
  listSql,
  maxSearched,
  type Page,
} from "./kit/Page.ts";
import { inRange, isByTime, type TimeRange } from "./kit/ranges.ts";
import { findPage, hasAtMost, readPage, readTogether } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement, whereAll } from "./kit/Statement.ts";
import { skipRows } from "./kit/skipRows.ts";

export interface MessageFilter extends TimeRange {
  /** By hash or normalized hash. */
  readonly hashes: readonly Hash[];
  readonly bodyHash?: Hash | undefined;
  /** Null selects messages without one. */
  readonly source?: Address | null | undefined;
  readonly destination?: Address | null | undefined;
  readonly opcode?: number | undefined;
  /** Only received, or only sent messages. */
  readonly direction?: "in" | "out" | undefined;
  /** Without external messages. */
  readonly excludeExternals?: boolean;
  /** Only external messages. */
  readonly onlyExternals?: boolean;
  /** Only messages with one of these, by hash or normalized hash, among many that have it. */
  readonly named?: readonly Hash[] | undefined;
}

/** A message and the transactions that sent and received it, as far as indexed and requested. */
export interface MessageBetween {
  readonly message: FullMessage;
  readonly receivedBy: Hash | undefined;
  readonly sentBy: Hash | undefined;
}

function orderOf(filter: MessageFilter, sort: Direction) {
  const first = isByTime(filter) ? by("m.created_at", nullable(int53), sort) : by("m.created_lt", nullable(int8), sort);
  return [first, byFirstBytes("m.hash", hash, sort)];
}

/** An end as its index has it: that of times has the account in its short form. */
const endColumn = (filter: MessageFilter, name: "source" | "destination"): string =>
  isByTime(filter) ? shortAccount(`m.${name}`) : `m.${name}`;

/** `isWalked` when the messages are read along the index of this end. */
function sideCondition(
  params: Params,
  filter: MessageFilter,
  name: "source" | "destination",
  isWalked: boolean,
): Condition {
  const side = filter[name];
  if (side === undefined) return undefined;
  if (side === null) return `${endColumn(filter, name)} is null`;
  const value = params.of(address, side);
  return isWalked && isByTime(filter) ? isAccount(`m.${name}`, value) : `m.${name} = ${value}`;
}

/**
 * Received messages have a transaction. On a cluster that is on another machine: there the transactions of all messages
 * that may be searched are looked up first.
 */
function directionCondition(layout: TableLayout, direction: "in" | "out", near: () => string): string {
  if (direction === "out") return "m.out_tx_hash is not null";
  if (layout === "single") return "exists (select 1 from transactions t where t.in_msg_hash = m.hash)";
  return `m.hash in (select t.in_msg_hash from (${near()}) n join transactions t on t.in_msg_hash = n.hash)`;
}

/** The filters that an index finds messages by. */
type MessageKey = "source" | "destination" | "opcode" | "bodyHash";

const messageKeys: readonly MessageKey[] = ["bodyHash", "source", "destination", "opcode"];

/** How messages are read: along the index of one filter, or all that this filter finds, because they are few. */
interface MessageScan {
  readonly by: MessageKey | undefined;
  readonly isAll?: boolean;
  /** Where the messages are, when the filter has their hashes. */
  readonly lts?: readonly bigint[] | undefined;
}

function keyCondition(params: Params, filter: MessageFilter, key: MessageKey, isWalked = false): Condition {
  switch (key) {
    case "source":
    case "destination":
      return sideCondition(params, filter, key, isWalked);
    case "opcode":
      return ifSet(filter.opcode, (value) => `m.opcode = ${params.of(int4, value)}`);
    case "bodyHash":
      return ifSet(filter.bodyHash, (value) => sameBody(params, value));
  }
}

/** The filters by which messages may be found. In the order of time only the ends of messages have an index. */
function listKeys(filter: MessageFilter): readonly MessageKey[] {
  const isGiven = (key: MessageKey) => filter[key] !== undefined;
  // Messages without a source are the external ones, which the index of all messages has together.
  const ends = (["source", "destination"] as const).filter((key) =>
    key === "source" ? filter.source !== undefined && filter.source !== null : isGiven(key),
  );
  return isByTime(filter) ? ends : [...ends, ...(["bodyHash", "opcode"] as const).filter(isGiven)];
}

/** Whether there are messages with a time, without one, or any. */
function timeConditions(filter: MessageFilter): readonly Condition[] {
  const key = isByTime(filter) ? "m.created_at" : "m.created_lt";
  // External messages are not created on the chain: repeated as a condition, so that the time index applies.
  const isOnly = filter.onlyExternals === true || filter.source === null;
  // A message with a source is created on the chain, and so is one that a transaction sent.
  const isOther =
    (filter.excludeExternals === true || filter.direction === "out") &&
    (filter.source === undefined || filter.source === null);
  return [isOnly ? `${key} is null` : undefined, isOther ? `${key} is not null` : undefined];
}

function messagesList(
  params: Params,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
  scan: MessageScan,
): ListStatement {
  const list = { select: messageColumns, order: orderOf(filter, sort), page };
  const { served, checked } = inRange(params, filter, { time: "m.created_at", lt: "m.created_lt" });
  const directionOf = (near: () => string) =>
    ifSet(filter.direction, (value) => directionCondition(params.layout, value, near));
  const others = messageKeys.filter((key) => key !== scan.by).map((key) => keyCondition(params, filter, key));
  const own = scan.by && keyCondition(params, filter, scan.by, scan.isAll !== true);
  const named = ifSet(filter.named, (values) => hasHash(params, values, "m.hash", "m.hash_norm"));
  if (filter.hashes.length > 0 || scan.isAll === true) {
    const found = ifAny(filter.hashes, (values) => {
      const at = ifSet(scan.lts, (lts) => ` and m.lt = any(${params.of(int8s, lts)})`) ?? "";
      return `${hasHash(params, values, "m.hash", "m.hash_norm")}${at}`;
    });
    const direction = directionOf(() => `select m.hash from messages m ${whereAll([found, own])}`);
    const all = [...others, ...timeConditions(filter), ...served, ...checked, direction, named];
    // Apart, so that the planner begins with what is known to find few.
    const from = `(select m.* from messages m ${whereAll([found, own])} offset 0) m`;
    return { ...list, from, where: all };
  }
  const walked = { ...list, from: "messages m", where: [own, ...timeConditions(filter), ...served] };
  const direction = directionOf(() => {
    const searched = { limit: maxSearched, offset: 0, cursor: page.cursor };
    return listSql(params, { ...walked, select: "m.hash, m.created_lt, m.created_at", page: searched }).text;
  });
  return {
    ...walked,
    checks: [...others, ...checked, direction, named],
    lead: scan.by === "destination" && filter.destination === null ? endColumn(filter, "destination") : undefined,
  };
}

/**
 * Where the messages of a page are: rows before the page, and those that are searched, are read without their contents.
 */
export function messagesSql(
  filter: MessageFilter,
  page: Page,
  sort: Direction,
  scan: MessageScan = { by: listKeys(filter)[0] },
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  const list = messagesList(params, filter, page, sort, scan);
  const names = [...new Set(["lt", "hash", ...list.order.map(({ name }) => name)])];
  return listSql(params, { ...list, select: names.map((name) => `m."${name}"`).join(", ") });
}

/** Messages by lt and hash, in this order. */
export function messagesAtSql(of: HashesAt): Statement {
  const params = new Params();
  const keys = `${params.of(hashes, of.hashes)}, ${params.of(int8s, of.lts)}`;
  return params.lookup(`
    select ${messageColumns} from unnest(${keys}) with ordinality as k(hash, lt, place)
    join messages m on m.lt = k.lt and m.hash = k.hash order by k.place`);
}

/** A filter that finds at most this many messages finds them all. */
const fewMessages = 4_000;

/** Finds a row when a filter finds more than few messages. */
export function manyMessagesSql(filter: MessageFilter, by: MessageKey): Statement {
  const params = new Params();
  const found = whereAll([keyCondition(params, filter, by)]);
  return params.statement(
    `select 1 as one from messages m ${found} offset ${params.of(int8, BigInt(fewMessages))} limit 1`,
  );
}

/**
 * The page behind a deep offset; `undefined` when there are fewer messages. All rows before it are skipped in the index
 * of the list, which has external messages together, first when descending and last when ascending, but not in the
 * order of their hashes. When the page begins among them, those of them that are before it are skipped again in an
 * index of hashes.
 */
async function skipMessages(
  reading: HistorySnapshot,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
): Promise<Page | undefined> {
  const { bodyHash, direction, hashes, opcode } = filter;
  const [by, ...others] = listKeys(filter);
  // The indexes of ends by time have short accounts, that of bodies short hashes.
  const isIndexed = bodyHash === undefined && direction === undefined && (!isByTime(filter) || by === undefined);
  const { layout, options } = reading;
  const isDeep = page.offset >= options.minResumedOffset && page.cursor === undefined && layout === "single";
  if (!isDeep || !isIndexed || hashes.length > 0 || others.some((key) => key !== "opcode")) return page;
  const isChecked = opcode !== undefined && by !== "opcode";
  // All of few are read at once.
  if (isChecked && (await reading.query(manyMessagesSql(filter, "opcode"))).length === 0) return page;
  // No time means no source, which that index does not have.
  const timed = filter.source === null ? { ...filter, source: undefined, onlyExternals: true } : filter;
  const list = (params: Params) => messagesList(params, timed, page, sort, { by });
  const skipped = await skipRows(reading, page, list, isChecked ? ["opcode"] : []);
  return skipped && skipExternals(reading, filter, skipped, orderOf(filter, sort));
}

/** Those that hashes name; of very many, all external, the messages to their receivers are searched. */
async function readNamed(
  reading: HistorySnapshot,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
): Promise<FoundRows> {
  const all = await findMessages(reading, filter.hashes);
  const places = all ?? (await findMessages(reading, filter.hashes, () => [isCreated])) ?? refuseTooMany(reading);
  const found = places.map((row) => ({ hash: hash.read(columnOf(row, "hash")), lt: int8.read(columnOf(row, "lt")) }));
  const { hashes: of, lts } = hashesAt(found);
  const order = orderOf(filter, sort);
  const own = { ...filter, hashes: all === undefined ? of : filter.hashes };
  const lists = found.length === 0 ? [] : [(part: Page) => readMessages(reading, own, part, sort, [...new Set(lts)])];
  const { source = null, excludeExternals = false, startUtime, endUtime, startLt, endLt } = filter;
  const isInside = excludeExternals || [startUtime, endUtime, startLt, endLt].some((each) => each !== undefined);
  const outside = all !== undefined || isInside || source !== null ? undefined : await findOutside(reading, filter);
  for (const account of outside?.accounts ?? []) {
    if ((filter.destination ?? account) !== account) continue;
    const one = { ...filter, hashes: [], named: outside?.hashes, destination: account, onlyExternals: true };
    lists.push((part) => readMessages(reading, one, part, sort));
  }
  return readTogether(
    order,
    page,
    lists.map((read) => ({ order, read })),
  );
}

/** Along the index of one filter; when that is not enough, by another filter that finds few messages. */
async function readMessages(
  reading: HistorySnapshot,
  filter: MessageFilter,
  asked: Page,
  sort: Direction,
  lts?: readonly bigint[],
): Promise<FoundRows> {
  const { layout } = reading;
  if (filter.hashes.length > 0 && lts === undefined) return readNamed(reading, filter, asked, sort);
  const page = await skipMessages(reading, filter, asked, sort);
  if (page === undefined) return { rows: [] };
  if (filter.direction !== undefined && hasAtMost(1, filter)) return readOfDirection(reading, filter, page, sort);
  const [by] = listKeys(filter);
  const searched = {
    sql: (part: Page) => messagesSql(filter, part, sort, { by, lts }, layout),
    list: (params: Params, part: Page) => messagesList(params, filter, part, sort, { by, lts }),
  };
  const found = await findPage(reading, page, searched);
  if (found.edge === undefined) return found;
  for (const other of messageKeys) {
    if (filter[other] === undefined || filter[other] === null) continue;
    if ((await reading.query(manyMessagesSql(filter, other))).length > 0) continue;
    return { rows: await reading.query(messagesSql(filter, page, sort, { by: other, isAll: true }, layout)) };
  }
  return isByOffset(page) ? readPage(reading, page, { ...searched, isAlone: true }) : found;
}

/** All that were received or sent: external ones, which have no time, and the others are searched one after another. */
async function readOfDirection(
  reading: HistorySnapshot,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
): Promise<FoundRows> {
  const outside = filter.direction === "in" ? [{ ...filter, onlyExternals: true }] : [];
  const inside = { ...filter, excludeExternals: true };
  const enough = page.limit + page.offset;
  const sqlRows: SqlRow[] = [];
  for (const part of sort === "desc" ? [...outside, inside] : [inside, ...outside]) {
    if (sqlRows.length >= enough) break;
    const searched = {
      sql: (next: Page) => messagesSql(part, next, sort, { by: undefined }, reading.layout),
      list: (params: Params, next: Page) => messagesList(params, part, next, sort, { by: undefined }),
      isAlone: true,
    };
    const { rows, edge } = await readPage(reading, { ...page, limit: enough - sqlRows.length, offset: 0 }, searched);
    sqlRows.push(...rows);
    if (edge !== undefined) return { rows: sqlRows.slice(page.offset), edge };
  }
  return { rows: sqlRows.slice(page.offset, enough) };
}

/** Messages, each once. */
export async function listMessages(
  reading: HistorySnapshot,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<MessageBetween>> {
  const found = await readMessages(reading, filter, page, sort);
  const { items: keys, next } = listed(found, { order: orderOf(filter, sort), page }, (row) => ({
    hash: hash.read(columnOf(row, "hash")),
    lt: int8.read(columnOf(row, "lt")),
  }));
  const rows = keys.length === 0 ? [] : await reading.query(messagesAtSql(hashesAt(keys)));
  const items = rows.map(readMessage);
  const messages = await describeAll(reading, items);
  const receivers = filter.direction === "out" ? new Map<Hash, Hash>() : await findReceivers(reading, items);
  return {
    items: messages.map((message) => ({
      message,
      receivedBy: receivers.get(message.row.hash),
      sentBy: filter.direction === "in" ? undefined : message.row.outTxHash,
    })),
    next,
  };
}

/** Adds what ABIs of one's own say of bodies that have no known form. */
async function describeAll(
  reading: HistorySnapshot,
  messages: readonly FullMessage[],
): Promise<readonly FullMessage[]> {
  const library = reading.abis;
  if (library === undefined || library.isBare) return messages;
  const unknown = messages.filter(({ body }) => body !== undefined && body.decoded === undefined);
  const accounts = distinct(unknown.flatMap(({ row: { source, destination } }) => [source, destination]));
  if (accounts.length === 0) return messages;
  const rows = await reading.query(codeHashesSql(accounts));
  const codes = new Map(
    rows.map((row) => [address.read(columnOf(row, "account")), hash.read(columnOf(row, "code_hash"))]),
  );
  const turns = new TurnBudget(systemClock);
  return runInTurns(describeMessages(messages, library, codes), () => turns.yieldIfDue());
}

/** The codes that accounts have now. */
export function codeHashesSql(accounts: readonly Address[]): Statement {
  const params = new Params();
  return params.lookup(`
    select s.account, s.code_hash from latest_account_states s
    where s.account = any(${params.of(addresses, accounts)}) and s.code_hash is not null`);
}
