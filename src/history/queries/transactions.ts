import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { address, addresses, hash, hashes, int4, int8, int53, shard } from "../store/columns.ts";
import type { SqlRow } from "../store/Database.ts";
import { readRow, selectList } from "../store/Table.ts";
import { transactions } from "../store/tables.ts";
import { distinct } from "./addressBook.ts";
import type { FullTransaction, TransactionRow } from "./FullTransaction.ts";
import { fillTransactions } from "./fillTransactions.ts";
import type { Reading } from "./History.ts";
import { mergeLanes } from "./lanes.ts";
import {
  by,
  type Direction,
  type Listed,
  type ListQuestion,
  limitOf,
  listed,
  listSql,
  type Order,
  orderBy,
  type Page,
} from "./Page.ts";
import { boundedLt } from "./ranges.ts";
import { anyGiven, type Condition, given, Params, type Statement, whereAll } from "./Statement.ts";

export interface TransactionFilter {
  readonly workchain?: number | undefined;
  readonly shard?: bigint | undefined;
  readonly seqno?: number | undefined;
  readonly mcSeqno?: number | undefined;
  readonly accounts: readonly Address[];
  readonly excludedAccounts: readonly Address[];
  readonly hashes: readonly Hash[];
  readonly lt?: bigint | undefined;
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** A filter that lets every transaction through. */
export const everyTransaction: TransactionFilter = { accounts: [], excludedAccounts: [], hashes: [] };

export const transactionColumns = selectList(transactions, "t");
const read = (row: SqlRow) => readRow(transactions, row);

/** The contract's cases, from the strongest on. */
function orderOf(filter: TransactionFilter, sort: Direction): Order {
  const [time, lt, account] = [by("t.now", int53, sort), by("t.lt", int8, sort), by("t.account", address, "asc")];
  const isByTime = filter.startUtime !== undefined || filter.endUtime !== undefined;
  if (filter.lt !== undefined) return [by("t.account", address, sort), lt];
  if (filter.hashes.length > 0) return [by("t.hash", hash, sort), lt];
  if (filter.accounts.length === 1) return isByTime ? [time, lt] : [lt];
  if (filter.mcSeqno !== undefined) return [lt, account];
  return isByTime ? [time, lt, account] : [lt, account];
}

function conditions(params: Params, filter: TransactionFilter): readonly Condition[] {
  return [
    given(filter.workchain, (value) => `t.block_workchain = ${params.of(int4, value)}`),
    given(filter.shard, (value) => `t.block_shard = ${params.of(shard, value)}`),
    given(filter.seqno, (value) => `t.block_seqno = ${params.of(int4, value)}`),
    given(filter.mcSeqno, (value) => `t.mc_block_seqno = ${params.of(int4, value)}`),
    anyGiven(filter.excludedAccounts, (values) => `t.account <> all(${params.of(addresses, values)})`),
    anyGiven(filter.hashes, (values) => `t.hash = any(${params.of(hashes, values)})`),
    given(filter.lt, (value) => `t.lt = ${params.of(int8, boundedLt(value))}`),
    given(filter.startUtime, (value) => `t.now >= ${params.of(int53, value)}`),
    given(filter.endUtime, (value) => `t.now <= ${params.of(int53, value)}`),
    given(filter.startLt, (value) => `t.lt >= ${params.of(int8, boundedLt(value))}`),
    given(filter.endLt, (value) => `t.lt <= ${params.of(int8, boundedLt(value))}`),
  ];
}

function transactionsList(params: Params, filter: TransactionFilter, page: Page, sort: Direction): ListQuestion {
  const accounts = distinct(filter.accounts);
  const [only] = accounts;
  const account =
    only === undefined
      ? undefined
      : accounts.length === 1
        ? `t.account = ${params.of(address, only)}`
        : `t.account = any(${params.of(addresses, accounts)})`;
  return {
    select: transactionColumns,
    from: "transactions t",
    where: [account, ...conditions(params, filter)],
    order: orderOf({ ...filter, accounts }, sort),
    page,
  };
}

/** Whether few transactions remain by the other filters, so that looking at all of them is cheap. */
function isBounded({ hashes, lt, mcSeqno, seqno, workchain, shard }: TransactionFilter): boolean {
  const isOneBlock = seqno !== undefined && workchain !== undefined && shard !== undefined;
  return hashes.length > 0 || lt !== undefined || mcSeqno !== undefined || isOneBlock;
}

/** What stands before the part that is wanted is passed over in the index alone where that is possible. */
function keysFirst(params: Params, list: ListQuestion): Statement {
  if (list.page.offset === 0) return listSql(params, list);
  const names = [...new Set(["account", "lt", ...list.order.map(({ name }) => name)])];
  const keys = listSql(params, { ...list, select: names.map((name) => `t."${name}"`).join(", ") });
  return joinKeys(params, keys, list.order);
}

function joinKeys(params: Params, keys: Statement, order: Order): Statement {
  return params.statement(`
    select ${transactionColumns} from (${keys.text}) p
    join transactions t on t.account = p.account and t.lt = p.lt
    ${orderBy(order)}`);
}

/** Whether a number that blocks of several shards may bear is the strongest filter. */
function isBySeqno(filter: TransactionFilter): boolean {
  return filter.seqno !== undefined && !isBounded(filter);
}

/** The few blocks with that number are found first, and the transactions of each are read by its place. */
function ofBlocksSql(filter: TransactionFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const found = whereAll([
    given(filter.seqno, (value) => `b.seqno = ${params.of(int4, value)}`),
    given(filter.workchain, (value) => `b.workchain = ${params.of(int4, value)}`),
    given(filter.shard, (value) => `b.shard = ${params.of(shard, value)}`),
  ]);
  const others = { ...filter, seqno: undefined, workchain: undefined, shard: undefined };
  const enough = { limit: page.limit + page.offset, offset: 0, cursor: page.cursor };
  const list = transactionsList(params, others, enough, sort);
  const place = ["workchain", "shard", "seqno"].map((name) => `t.block_${name} = k.${name}`);
  const own = listSql(params, { ...list, where: [...place, ...list.where] });
  return params.statement(`
    select ${transactionColumns}
    from (select b.workchain, b.shard, b.seqno from blocks b ${found}) k
    cross join lateral (${own.text}) t
    ${orderBy(list.order)} ${limitOf(params, page)}`);
}

export function transactionsSql(filter: TransactionFilter, page: Page, sort: Direction): Statement {
  if (isBySeqno(filter)) return ofBlocksSql(filter, page, sort);
  const params = new Params();
  const keys = distinct(filter.accounts);
  if (keys.length <= 1 || isBounded(filter)) return keysFirst(params, transactionsList(params, filter, page, sort));
  const list = transactionsList(params, { ...filter, accounts: [] }, page, sort);
  return mergeLanes(params, { ...list, lanes: [{ by: { column: "t.account", keys } }], identity: ["account", "lt"] });
}

/** Transactions with all that belongs to them. */
export async function listTransactions(
  reading: Reading,
  filter: TransactionFilter,
  page: Page,
  sort: Direction,
): Promise<Listed<FullTransaction>> {
  const rows = await reading.query(transactionsSql(filter, page, sort));
  const question = { order: orderOf({ ...filter, accounts: distinct(filter.accounts) }, sort), page };
  return fillListed(reading, listed(rows, question, read));
}

async function fillListed(reading: Reading, list: Listed<TransactionRow>): Promise<Listed<FullTransaction>> {
  return { items: await fillTransactions(reading, list.items), next: list.next };
}

export interface MessageSideFilter {
  readonly hashes: readonly Hash[];
  readonly bodyHash?: Hash | undefined;
  /** Of the message that a transaction received; with it only that side counts. */
  readonly opcode?: number | undefined;
  readonly source?: Address | undefined;
  readonly destination?: Address | undefined;
  readonly direction?: "in" | "out" | undefined;
}

const byMessageOrder = (sort: Direction): Order => [by("t.lt", int8, sort), by("t.account", address, "asc")];

function messageConditions(params: Params, filter: MessageSideFilter): readonly Condition[] {
  return [
    anyGiven(filter.hashes, (values) => {
      const list = params.of(hashes, values);
      return `(m.hash = any(${list}) or m.hash_norm = any(${list}))`;
    }),
    given(filter.bodyHash, (value) => `m.body_hash = ${params.of(hash, value)}`),
    given(filter.source, (value) => `m.source = ${params.of(address, value)}`),
    given(filter.destination, (value) => `m.destination = ${params.of(address, value)}`),
  ];
}

/** How the transactions at the ends of messages are found: from the messages, or along all transactions in order. */
export type MessageWay = "found" | "walked";

/**
 * By opcode alone the received messages are read in order; by hashes the messages are found first. Of a body that very
 * many messages share it is quicker to walk along the transactions until enough of them received or sent it.
 */
export function transactionsByMessageSql(
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
  way: MessageWay = "found",
): Statement {
  const params = new Params();
  const order = byMessageOrder(sort);
  const { opcode, hashes, bodyHash } = filter;
  const isByOpcode = opcode !== undefined && hashes.length === 0 && bodyHash === undefined;
  if (isByOpcode || way === "walked") {
    const where = isByOpcode ? byOpcode(params, filter, opcode) : [isAtEnd(params, filter)];
    return listSql(params, { select: transactionColumns, from: "transactions t", where, order, page });
  }
  const from = `(${endsOfFound(params, filter)}) t`;
  return joinKeys(params, listSql(params, { select: "t.account, t.lt", from, where: [], order, page }), order);
}

/** From so many messages with the same body on, transactions are walked along. */
export const mostFound = 20_000;

/** Whether so many messages bear this body; no more than that are counted. */
export function commonBodySql(body: Hash): Statement {
  const params = new Params();
  return params.statement(`
    select 1 as one from messages m where m.body_hash = ${params.of(hash, body)}
    offset ${params.of(int8, BigInt(mostFound - 1))} limit 1`);
}

async function wayOf(reading: Reading, { hashes, bodyHash }: MessageSideFilter): Promise<MessageWay> {
  if (bodyHash === undefined || hashes.length > 0) return "found";
  return (await reading.query(commonBodySql(bodyHash))).length > 0 ? "walked" : "found";
}

function byOpcode(params: Params, filter: MessageSideFilter, opcode: number): readonly Condition[] {
  const more = messageConditions(params, filter).filter((each) => each !== undefined);
  const exists = `exists (select 1 from messages m where m.hash = t.in_msg_hash and ${more.join(" and ")})`;
  return [`t.in_opcode = ${params.of(int4, opcode)}`, more.length === 0 ? undefined : exists];
}

/** What holds for the messages `m`, and at which of their ends transactions are meant. */
function messagesMeant(params: Params, filter: MessageSideFilter) {
  const opcode = given(filter.opcode, (value) => `m.opcode = ${params.of(int4, value)}`);
  const conditions = messageConditions(params, filter).concat(opcode);
  const isReceivedOnly = filter.direction === "in" || filter.opcode !== undefined;
  const sides = isReceivedOnly ? ["in"] : filter.direction === "out" ? ["out"] : ["in", "out"];
  return { found: conditions.filter((each) => each !== undefined).join(" and "), sides };
}

function endsOfFound(params: Params, filter: MessageSideFilter): string {
  const { found, sides } = messagesMeant(params, filter);
  const isEnd = (side: string) => (side === "in" ? "e.in_msg_hash = m.hash" : "e.hash = m.out_tx_hash");
  // A transaction may have sent several of the messages; where both sides are meant, the union has each row once.
  const select = `select ${sides.length === 1 ? "distinct " : ""}e.account, e.lt from messages m`;
  return sides.map((side) => `${select} join transactions e on ${isEnd(side)} where ${found}`).join(" union ");
}

function isAtEnd(params: Params, filter: MessageSideFilter): string {
  const { found, sides } = messagesMeant(params, filter);
  const isEnd = (side: string) => (side === "in" ? "m.hash = t.in_msg_hash" : "m.out_tx_hash = t.hash");
  // Counted one by one: a condition that could be turned into a join might be begun at the wrong side.
  const some = sides.map((side) => `(select 1 from messages m where ${isEnd(side)} and ${found} limit 1) is not null`);
  return `(${some.join(" or ")})`;
}

/** Transactions that received or sent the messages asked for, each once. */
export async function listTransactionsByMessage(
  reading: Reading,
  filter: MessageSideFilter,
  page: Page,
  sort: Direction,
): Promise<Listed<FullTransaction>> {
  const way = await wayOf(reading, filter);
  const rows = await reading.query(transactionsByMessageSql(filter, page, sort, way));
  return fillListed(reading, listed(rows, { order: byMessageOrder(sort), page }, read));
}

export function adjacentTransactionsSql(of: Hash, direction: "in" | "out" | undefined): Statement {
  const params = new Params();
  const own = params.of(hash, of);
  const parent = `
    select p.account, p.lt from transactions t
    join messages m on m.hash = t.in_msg_hash join transactions p on p.hash = m.out_tx_hash
    where t.hash = ${own}`;
  const children = `
    select c.account, c.lt from messages m join transactions c on c.in_msg_hash = m.hash
    where m.out_tx_hash = ${own}`;
  const sides = direction === "in" ? [parent] : direction === "out" ? [children] : [parent, children];
  return params.statement(`
    select ${transactionColumns} from transactions t
    where (t.account, t.lt) in (${sides.join(" union ")})
    order by t.lt, t.account`);
}

/** The transaction that sent this one's message, and those that received its messages. */
export async function listAdjacentTransactions(
  reading: Reading,
  of: Hash,
  direction: "in" | "out" | undefined,
): Promise<readonly FullTransaction[]> {
  return fillTransactions(reading, await reading.rows(transactions, adjacentTransactionsSql(of, direction)));
}
