import { type Address, distinct, makeAddress, workchainOf } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { isAccount } from "../store/schema/accountKey.ts";
import {
  address,
  addresses,
  addressToHex,
  hash,
  hashes,
  int4,
  int8,
  int8s,
  int53,
  shard,
} from "../store/schema/columns.ts";
import { readRow, selectList } from "../store/schema/Table.ts";
import { transactions } from "../store/schema/tables.ts";
import type { FullTransaction, TransactionRow } from "./fill/FullTransaction.ts";
import { fillTransactions, hashesAt } from "./fill/fillTransactions.ts";
import { findTransactions, type OutsideMessages, type PlacedTransaction } from "./fill/places.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import type { FoundRows, ListPage, ListStatement, Order, Page } from "./kit/Page.ts";
import { by, columnOf, type Direction, findCursorValue, limitOf, listed, listSql, orderBy } from "./kit/Page.ts";
import { boundedLt, type InBlock, inRange, isByTime, rangeConditions } from "./kit/ranges.ts";
import { isSearchedOn, readPage, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, ifSet, Params, type Statement, whereAll } from "./kit/Statement.ts";

export interface TransactionFilter extends InBlock {
  readonly accounts: readonly Address[];
  readonly excludedAccounts: readonly Address[];
  readonly hashes: readonly Hash[];
  /** Only these, which were looked up before. */
  readonly places?: readonly Pick<PlacedTransaction, "hash" | "lt">[] | undefined;
  readonly lt?: bigint | undefined;
  /** Opcode of the message that the transaction received. */
  readonly inOpcode?: number | undefined;
  /** Only those that received one of these. */
  readonly received?: OutsideMessages | undefined;
}

/** A filter that passes every transaction. */
export const everyTransaction: TransactionFilter = { accounts: [], excludedAccounts: [], hashes: [] };

export const transactionColumns = selectList(transactions, "t");
/** A row of `transactionColumns`. */
export const readTransaction = (row: SqlRow): TransactionRow => readRow(transactions, row);

const timeColumns = { time: "t.now", lt: "t.lt" };

/** The cases of the contract, the strongest first. */
export function transactionOrder(filter: TransactionFilter, sort: Direction): Order {
  const [time, lt, account] = [by("t.now", int53, sort), by("t.lt", int8, sort), by("t.account", address, "asc")];
  if (filter.lt !== undefined) return [by("t.account", address, sort), lt];
  if (filter.hashes.length > 0) return [by("t.hash", hash, sort), lt];
  if (filter.accounts.length === 1) return isByTime(filter) ? [time, lt] : [lt];
  if (filter.mcSeqno !== undefined) return [lt, account];
  return isByTime(filter) ? [time, lt, account] : [lt, account];
}

function byPlace(params: Params, filter: TransactionFilter): readonly Condition[] {
  return [
    ifSet(filter.workchain, (value) => `t.block_workchain = ${params.of(int4, value)}`),
    ifSet(filter.shard, (value) => `t.block_shard = ${params.of(shard, value)}`),
    ifSet(filter.seqno, (value) => `t.block_seqno = ${params.of(int4, value)}`),
    ifAny(filter.excludedAccounts, (values) => `t.account <> all(${params.of(addresses, values)})`),
  ];
}

const byOpcode = (params: Params, { inOpcode }: TransactionFilter): Condition =>
  ifSet(inOpcode, (value) => `t.in_opcode = ${params.of(int4, value)}`);

/** An external message begins the trace of each transaction that received it. */
const byReceived = (params: Params, { received }: TransactionFilter): Condition =>
  ifSet(received, (outside) => {
    const list = params.of(hashes, outside.hashes);
    return `(t.in_msg_hash = any(${list}) or exists (
      select 1 from traces r where r.trace_id = t.hash and r.start_lt = t.lt and r.external_hash_norm = any(${list})))`;
  });

/** All conditions but those on the accounts. */
function everyCondition(params: Params, filter: TransactionFilter): readonly Condition[] {
  const exact = [
    ifSet(filter.mcSeqno, (value) => `t.mc_block_seqno = ${params.of(int4, value)}`),
    ifAny(filter.hashes, (values) => `t.hash = any(${params.of(hashes, values)})`),
    ifSet(filter.places, (values) => {
      const { hashes: of, lts } = hashesAt(values);
      return `t.hash = any(${params.of(hashes, of)}) and t.lt = any(${params.of(int8s, lts)})`;
    }),
    ifSet(filter.lt, (value) => `t.lt = ${params.of(int8, boundedLt(value))}`),
    byOpcode(params, filter),
    byReceived(params, filter),
  ];
  const { times, lts } = rangeConditions(params, filter, timeColumns);
  return [...exact, ...byPlace(params, filter), ...times, ...lts];
}

/** What holds for each transaction `t` that passes a filter. */
export function passes(params: Params, filter: TransactionFilter): readonly Condition[] {
  const own = ifAny(distinct(filter.accounts), (values) => `t.account = any(${params.of(addresses, values)})`);
  return [own, ...everyCondition(params, filter)];
}

/** Whether the list is read along the index of received opcodes. */
function isByOpcode(filter: TransactionFilter): boolean {
  const isOfAll = filter.accounts.length === 0 && filter.received === undefined;
  return filter.inOpcode !== undefined && isOfAll && !isByTime(filter) && !isBounded(filter);
}

/** Conditions that an index serves, and those that are checked on the rows it finds. */
function conditions(params: Params, filter: TransactionFilter): Pick<ListStatement, "where" | "checks" | "lead"> {
  if (isBounded(filter)) return { where: everyCondition(params, filter) };
  const opcode = byOpcode(params, filter);
  const { served, checked } = inRange(params, filter, timeColumns);
  if (isByOpcode(filter)) return { where: [opcode, ...served], checks: byPlace(params, filter) };
  const workchain = ifSet(filter.workchain, (value) => inWorkchain(params, value));
  const lead = workchain && "t.block_workchain";
  const place = byPlace(params, { ...filter, workchain: undefined });
  return { where: [workchain, ...served], lead, checks: [...place, ...checked, opcode, byReceived(params, filter)] };
}

/** As a range: for one value the planner may read along the index of all workchains, past very many rows. */
function inWorkchain(params: Params, workchain: number): string {
  const value = params.of(int4, workchain);
  return `t.block_workchain >= ${value} and t.block_workchain <= ${value}`;
}

/** The key has the whole account, the index by time its short form. */
function ofAccount(params: Params, account: Address, filter: TransactionFilter): string {
  const value = params.of(address, account);
  return isByTime(filter) && !isBounded(filter) ? isAccount("t.account", value) : `t.account = ${value}`;
}

function transactionsList(params: Params, filter: TransactionFilter, page: Page, sort: Direction): ListStatement {
  const accounts = distinct(filter.accounts);
  const [only] = accounts;
  const account =
    only === undefined
      ? undefined
      : accounts.length === 1
        ? ofAccount(params, only, filter)
        : `t.account = any(${params.of(addresses, accounts)})`;
  const { where, checks, lead } = conditions(params, filter);
  const list = { select: transactionColumns, order: transactionOrder({ ...filter, accounts }, sort), page };
  if (!isBounded(filter)) return { ...list, from: "transactions t", where: [account, ...where], checks, lead };
  // Apart, so that the planner reads these few instead of all in their order until it has found enough.
  return { ...list, from: `(select t.* from transactions t ${whereAll([account, ...where])} offset 0) t`, where: [] };
}

/** Whether the other filters leave few transactions, so that all of them can be read. */
export function isBounded({ hashes, places, lt, mcSeqno, seqno, workchain, shard }: TransactionFilter): boolean {
  const isOneBlock = seqno !== undefined && workchain !== undefined && shard !== undefined;
  return hashes.length > 0 || places !== undefined || lt !== undefined || mcSeqno !== undefined || isOneBlock;
}

/** Rows before the page are skipped in the index alone where possible. */
function keysFirst(params: Params, list: ListStatement): Statement {
  if (list.page.offset === 0) return listSql(params, list);
  const names = [...new Set(["account", "lt", ...list.order.map(({ name }) => name)])];
  const keys = listSql(params, { ...list, select: names.map((name) => `t."${name}"`).join(", ") });
  return joinKeys(params, keys, list.order);
}

/** The transactions that a statement named by account and lt, in the order of the list. */
export function joinKeys(params: Params, keys: Statement, order: Order): Statement {
  return params.statement(`
    select ${transactionColumns} from (${keys.text}) p
    join transactions t on t.account = p.account and t.lt = p.lt
    ${orderBy(order)}`);
}

/** Whether a seqno that blocks of several shards may have is the strongest filter. */
function isBySeqno(filter: TransactionFilter): boolean {
  return filter.seqno !== undefined && !isBounded(filter);
}

/** The few blocks with that seqno: one in every shard. */
export function blocksOfSeqnoSql(filter: TransactionFilter): Statement {
  const params = new Params();
  const found = whereAll([
    ifSet(filter.seqno, (value) => `b.seqno = ${params.of(int4, value)}`),
    ifSet(filter.workchain, (value) => `b.workchain = ${params.of(int4, value)}`),
    ifSet(filter.shard, (value) => `b.shard = ${params.of(shard, value)}`),
  ]);
  return params.statement(`select b.workchain, b.shard, b.seqno from blocks b ${found}`);
}

/** The place of a block. */
export type SeqnoBlock = Readonly<Required<Pick<TransactionFilter, "workchain" | "shard" | "seqno">>>;

/** The first transactions of each block; together they contain the page. */
export function transactionsOfBlocksSql(
  of: readonly SeqnoBlock[],
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
): Statement {
  return ofBlocks(new Params(), of, filter, page, sort);
}

function ofBlocks(
  params: Params,
  of: readonly SeqnoBlock[],
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
): Statement {
  const enough = { limit: page.limit + page.offset, offset: 0, cursor: page.cursor };
  const own = of.map((place) => {
    const list = transactionsList(params, { ...filter, ...place }, enough, sort);
    return `(${listSql(params, list).text})`;
  });
  return params.statement(`
    select ${transactionColumns} from (${own.join(" union all ")}) t
    ${orderBy(transactionOrder(filter, sort))} ${limitOf(params, page)}`);
}

/** The blocks of a list by a seqno alone, which are looked up first; `undefined` for other lists. */
export async function findPlaces(
  reading: HistorySnapshot,
  filter: TransactionFilter,
): Promise<readonly SeqnoBlock[] | undefined> {
  if (!isBySeqno(filter)) return undefined;
  return (await reading.query(blocksOfSeqnoSql(filter))).map((row) => ({
    workchain: int4.read(columnOf(row, "workchain")),
    shard: shard.read(columnOf(row, "shard")),
    seqno: int4.read(columnOf(row, "seqno")),
  }));
}

export function transactionsSql(
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
  layout?: TableLayout,
): Statement {
  return pageOfTransactions(new Params(layout), filter, page, sort, undefined);
}

/** The statement of a page, of the blocks at these places when they are known. */
export function pageOfTransactions(
  params: Params,
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
  places: readonly SeqnoBlock[] | undefined,
): Statement {
  if (places !== undefined) return ofBlocks(params, places, filter, page, sort);
  const scansOf = findScans(filter);
  return scansOf === undefined
    ? keysFirst(params, transactionsList(params, filter, page, sort))
    : mergeIndexScans(params, scansOf(params, filter, page, sort));
}

type ScansOf = (params: Params, filter: TransactionFilter, page: Page, sort: Direction) => IndexScansStatement;

/** The lists that are merged, when no single index has all rows in their order. */
function findScans(filter: TransactionFilter): ScansOf | undefined {
  if (isBounded(filter) || isByOpcode(filter)) return undefined;
  if (distinct(filter.accounts).length > 1 || isOfReceivers(filter)) return ofMany;
  if (filter.accounts.length > 0 || isByTime(filter)) return undefined;
  if (filter.shard !== undefined) return ofShard;
  return systemAccounts.every((each) => filter.excludedAccounts.includes(each)) ? ofUsers : undefined;
}

/** Whether the accounts are those that received external messages. */
const isOfReceivers = ({ accounts, received }: TransactionFilter): boolean =>
  received !== undefined && distinct(accounts).length !== 1;

function ofMany(params: Params, filter: TransactionFilter, page: Page, sort: Direction): IndexScansStatement {
  const keys = (filter.received ?? filter).accounts;
  const scans = [{ by: { column: "t.account", keys: distinct(keys), isShort: isByTime(filter) } }];
  const { checks = [], ...list } = transactionsList(
    params,
    { ...filter, accounts: [], inOpcode: undefined },
    page,
    sort,
  );
  const parted = { table: "transactions", ...timeColumns, range: filter };
  return { ...list, checks: [...checks, byOpcode(params, filter)], scans, identity: ["account", "lt"], parted };
}

/** The workchains of a list; there are no others. */
const workchainsOf = ({ workchain }: TransactionFilter): readonly number[] =>
  [-1, 0].filter((each) => each === (workchain ?? each));

/**
 * The elector and the configuration: they have transactions in every masterchain block, also when nobody does anything.
 */
const systemAccounts: readonly Address[] = [makeAddress(-1, "3".repeat(64)), makeAddress(-1, "5".repeat(64))];

/** The transactions of all but some accounts, among them those with transactions in every block. */
function ofUsers(params: Params, filter: TransactionFilter, page: Page, sort: Direction): IndexScansStatement {
  const list = transactionsList(params, { ...filter, workchain: undefined }, page, sort);
  const isOther = systemAccounts.map((each) => `t.account <> '\\x${addressToHex(each)}'::bytea`);
  const parts = workchainsOf(filter).map((each) => {
    const more = each === -1 ? ["t.block_workchain = -1", ...isOther] : [];
    return [inWorkchain(params, each), ...more].join(" and ");
  });
  return { ...list, lead: "t.block_workchain", scans: [{ parts }], identity: ["account", "lt"] };
}

/** The transactions of a shard, along its blocks: logical times grow with their seqno. */
function ofShard(params: Params, filter: TransactionFilter, page: Page, sort: Direction): IndexScansStatement {
  const list = transactionsList(params, { ...filter, workchain: undefined, shard: undefined }, page, sort);
  const cursor = findCursorValue(list.order, page);
  const behind = cursor === undefined ? undefined : BigInt(cursor);
  const from = sort === "asc" ? (behind ?? filter.startLt) : filter.startLt;
  const to = sort === "desc" ? (behind ?? filter.endLt) : filter.endLt;
  const own = ifSet(filter.shard, (value) => params.of(shard, value));
  const parts = workchainsOf(filter).map((each) => {
    const blockAt = (lt: bigint) => `(
      select b.seqno from blocks b where b.workchain = ${each} and b.shard = ${own}
        and b.start_lt <= ${params.of(int8, boundedLt(lt))} order by b.start_lt desc limit 1)`;
    const range = [
      ifSet(from, (lt) => `t.block_seqno >= coalesce(${blockAt(lt)}, 0)`),
      ifSet(to, (lt) => `t.block_seqno <= coalesce(${blockAt(lt)}, -1)`),
    ];
    const block = [`t.block_workchain = ${each}`, `t.block_shard = ${own}`];
    return [...block, ...range.filter((condition) => condition !== undefined)].join(" and ");
  });
  return { ...list, lead: "t.block_seqno", scans: [{ parts }], identity: ["account", "lt"] };
}

/** An account is in one workchain: that filter chooses among accounts. `undefined` when it leaves none of them. */
export function inOwnWorkchain(filter: TransactionFilter): TransactionFilter | undefined {
  const { workchain, accounts, seqno } = filter;
  if (workchainsOf(filter).length === 0) return undefined;
  if (workchain === undefined || accounts.length === 0 || seqno !== undefined || isBounded(filter)) return filter;
  const own = accounts.filter((each) => workchainOf(each) === workchain);
  return own.length === 0 ? undefined : { ...filter, workchain: undefined, accounts: own };
}

/** Transactions with their messages and states. */
export async function listTransactions(
  reading: HistorySnapshot,
  transactionFilter: TransactionFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<FullTransaction>> {
  const named = transactionFilter.hashes;
  const places = named.length === 0 ? undefined : await findTransactions(reading, named);
  const filter = inOwnWorkchain({ ...transactionFilter, places });
  if (filter === undefined || places?.length === 0) return { items: [], next: undefined };
  const found = await readTransactionRows(reading, filter, page, sort, { places: await findPlaces(reading, filter) });
  const list = { order: transactionOrder({ ...filter, accounts: distinct(filter.accounts) }, sort), page };
  return fillListed(reading, listed(found, list, readTransaction));
}

/** The rows of a page, of the blocks at these places when they are known; `isAlone` as a whole request has it. */
export async function readTransactionRows(
  reading: HistorySnapshot,
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
  {
    places,
    isAlone = isSearchedOn(filter, page),
  }: { readonly places: readonly SeqnoBlock[] | undefined; isAlone?: boolean },
): Promise<FoundRows> {
  if (places === undefined) return readSearched(reading, filter, page, sort, isAlone);
  const isNone = places.length === 0;
  return { rows: isNone ? [] : await reading.query(transactionsOfBlocksSql(places, filter, page, sort)) };
}

function readSearched(
  reading: HistorySnapshot,
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
  isAlone: boolean,
): Promise<FoundRows> {
  const { layout } = reading;
  const sql = (part: Page) => transactionsSql(filter, part, sort, layout);
  const scansOf = findScans(filter);
  if (scansOf !== undefined)
    return readScans(reading, page, sql(page), { scans: (params) => scansOf(params, filter, page, sort), isAlone });
  return readPage(reading, page, {
    sql,
    list: (params, part) => transactionsList(params, filter, part, sort),
    isAlone,
  });
}

/** Completes the transactions of a page. */
export async function fillListed(
  reading: HistorySnapshot,
  list: ListPage<TransactionRow>,
): Promise<ListPage<FullTransaction>> {
  return { items: await fillTransactions(reading, list.items), next: list.next };
}
