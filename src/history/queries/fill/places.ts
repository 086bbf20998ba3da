import { type Address, distinct } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlRow } from "../../store/Database.ts";
import { address, bool, hash, hashes, int8, nullable } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf } from "../kit/Page.ts";
import { type Condition, Params, type Statement, whereAll } from "../kit/Statement.ts";
import { type HashesAt, hashesAt, near, sentWithin, unnested } from "./fillTransactions.ts";

/**
 * Lists by hash are made in two steps. Where the rows are is looked up first, by statements whose plans are kept; the
 * statement of the list then has logical times as constants, and is planned for the partitions that have these rows
 * alone.
 */
export interface PlacedTransaction {
  readonly hash: Hash;
  readonly lt: bigint;
  readonly traceId: Hash;
}

/**
 * External messages, by hash or normalized hash, and the accounts they were sent to: all of one hash to one account.
 * They may have been received any number of times, and many may have one normalized hash. More than `maxPlaces` are not
 * looked up: the rows of these accounts are searched.
 */
export interface OutsideMessages {
  readonly hashes: readonly Hash[];
  readonly accounts: readonly Address[];
}

const readPlace = (row: SqlRow): PlacedTransaction => ({
  hash: hash.read(columnOf(row, "hash")),
  lt: int8.read(columnOf(row, "lt")),
  traceId: hash.read(columnOf(row, "trace_id")),
});

/** Where transactions are. */
export function transactionPlacesSql(of: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(
    `select t.hash, t.lt, t.trace_id from transactions t where t.hash = any(${params.of(hashes, of)})`,
  );
}

export async function findTransactions(
  reading: HistorySnapshot,
  of: readonly Hash[],
): Promise<readonly PlacedTransaction[]> {
  return (await reading.query(transactionPlacesSql([...new Set(of)]))).map(readPlace);
}

/** One more than may be looked up. */
const untilTooMany = (params: Params, max: number) => `limit ${params.of(int8, BigInt(max + 1))}`;

/** Where messages are, by hash or normalized hash, that meet other conditions on `m`, too. */
export function messagePlacesSql(
  of: readonly Hash[],
  max: number,
  others: (params: Params) => readonly Condition[] = () => [],
): Statement {
  const params = new Params();
  const list = params.of(hashes, of);
  const isNamed = `(m.hash = any(${list}) or m.hash_norm = any(${list}))`;
  return params.lookup(`
    select m.hash, m.lt, m.out_tx_hash, m.created_lt is null as is_outside
    from messages m ${whereAll([isNamed, ...others(params)])} ${untilTooMany(params, max)}`);
}

/** Where messages are that hashes name; `undefined` when there are too many. */
export async function findMessages(
  reading: HistorySnapshot,
  of: readonly Hash[],
  others?: (params: Params) => readonly Condition[],
): Promise<readonly SqlRow[] | undefined> {
  const { maxPlaces } = reading.options;
  const rows = await reading.query(messagePlacesSql([...new Set(of)], maxPlaces, others));
  return rows.length > maxPlaces ? undefined : rows;
}

/** The transactions that received messages within an hour, and those that sent them. */
export function endsNearSql(received: HashesAt, senders: HashesAt, max: number): Statement {
  const params = new Params();
  const place = "t.hash, t.lt, t.trace_id, t.in_msg_hash";
  return params.lookup(`
    select ${place}, true as is_receiver from ${unnested(params, received)}
    join transactions t on t.in_msg_hash = k.hash and t.lt >= k.lt and t.lt < k.lt + ${near}
    union all select ${place}, false from ${unnested(params, senders)}
    join transactions t on t.hash = k.hash and t.lt < k.lt and t.lt > k.lt - ${sentWithin}
    ${untilTooMany(params, max)}`);
}

/** The same of receivers at any later time. */
export function receiversAfterSql(received: HashesAt, max: number): Statement {
  const params = new Params();
  return params.lookup(`
    select t.hash, t.lt, t.trace_id from ${unnested(params, received)}
    join transactions t on t.in_msg_hash = k.hash and t.lt >= k.lt ${untilTooMany(params, max)}`);
}

/** Which messages are meant, and whether their receivers, their senders or both are wanted. */
export interface MessagesMeant {
  readonly hashes: readonly Hash[];
  readonly direction?: "in" | "out" | undefined;
  readonly others?: (params: Params) => readonly Condition[];
}

/** The transactions that received or sent messages, each once. */
export interface MessageEnds {
  readonly places: readonly PlacedTransaction[];
  /** Messages whose receivers are too many to be among them. */
  readonly outside?: OutsideMessages | undefined;
}

/** Messages that the chain created: a hash names one of them at most, which is received once. */
export const isCreated = "m.created_lt is not null";

export async function findEnds(reading: HistorySnapshot, meant: MessagesMeant): Promise<MessageEnds> {
  const places = await findEndsOf(reading, meant);
  if (places !== undefined) return { places };
  const others = (params: Params) => [...(meant.others?.(params) ?? []), isCreated];
  const created = await findEndsOf(reading, { ...meant, others });
  return { places: created ?? refuseTooMany(reading), outside: await findOutside(reading, meant) };
}

/** A cluster cannot search an account's rows by what other tables have, and a request may have too many hashes. */
export function refuseTooMany({ options }: HistorySnapshot): never {
  const message = `these hashes name more than ${options.maxPlaces} messages or transactions: ask by account and time, or by fewer hashes`;
  throw new HistoryError("history/unsearched", message);
}

/** `undefined` when there are too many. */
async function findEndsOf(
  reading: HistorySnapshot,
  { hashes: of, direction, others }: MessagesMeant,
): Promise<readonly PlacedTransaction[] | undefined> {
  const named = await findMessages(reading, of, others);
  if (named === undefined) return undefined;
  const messages = named.map((row) => ({
    hash: hash.read(columnOf(row, "hash")),
    lt: int8.read(columnOf(row, "lt")),
    sender: nullable(hash).read(columnOf(row, "out_tx_hash")),
    isOutside: bool.read(columnOf(row, "is_outside")),
  }));
  // An external message may have been received many times.
  const received = direction === "out" ? [] : messages.filter(({ isOutside }) => !isOutside);
  const outside = direction === "out" ? [] : messages.filter(({ isOutside }) => isOutside);
  const sent = messages.flatMap(({ sender, lt }) => (direction === "in" || !sender ? [] : { hash: sender, lt }));
  const { maxPlaces } = reading.options;
  const ends =
    received.length + sent.length === 0
      ? []
      : await reading.query(endsNearSql(hashesAt(received), hashesAt(sent), maxPlaces));
  const known = new Set(
    ends.flatMap((row) => (row.is_receiver === true ? hash.read(columnOf(row, "in_msg_hash")) : [])),
  );
  const later = [...outside, ...received.filter((each) => !known.has(each.hash))];
  const afterwards = later.length === 0 ? [] : await reading.query(receiversAfterSql(hashesAt(later), maxPlaces));
  const all = [...ends, ...afterwards];
  return all.length > maxPlaces
    ? undefined
    : [...new Map(all.map(readPlace).map((place) => [place.hash, place])).values()];
}

/** One external message for each hash that is its hash or normalized hash. */
export function outsideSql(
  of: readonly Hash[],
  others: (params: Params) => readonly Condition[] = () => [],
): Statement {
  const params = new Params();
  // Apart, so that the planner does not read along the index of all external messages.
  const found = (column: string) => `
    select m.destination from (select s.* from messages s where s.${column} = k.hash offset 0) m
    ${whereAll(["m.created_lt is null", ...others(params)])} limit 1`;
  return params.lookup(`
    select k.hash, m.destination from unnest(${params.of(hashes, of)}) as k(hash)
    cross join lateral ((${found("hash")}) union all (${found("hash_norm")}) limit 1) m
    where m.destination is not null`);
}

/** The external messages that hashes name; `undefined` when none was received. */
export async function findOutside(
  reading: HistorySnapshot,
  { hashes: of, direction, others }: MessagesMeant,
): Promise<OutsideMessages | undefined> {
  if (reading.layout !== "single") refuseTooMany(reading);
  if (direction === "out") return undefined;
  const rows = await reading.query(outsideSql([...new Set(of)], others));
  if (rows.length === 0) return undefined;
  return {
    hashes: rows.map((row) => hash.read(columnOf(row, "hash"))),
    accounts: distinct(rows.map((row) => address.read(columnOf(row, "destination")))),
  };
}

/** Whether a row has one of these hashes, by hash or normalized hash. */
export function hasHash(params: Params, of: readonly Hash[], own: string, normalized: string): string {
  const list = params.of(hashes, of);
  return `(${own} = any(${list}) or ${normalized} = any(${list}))`;
}

/** The logical times at which traces began. */
export function traceStartsSql(ids: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`select t.start_lt as lt from traces t where t.trace_id = any(${params.of(hashes, ids)})`);
}

/** The logical times at which traces ended, of those that have actions. */
export function actionEndsSql(ids: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(
    `select distinct a.trace_end_lt as lt from actions a where a.trace_id = any(${params.of(hashes, ids)})`,
  );
}

/** The same for traces with these actions. */
export function actionPlacesSql(actionIds: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(
    `select a.trace_end_lt as lt from actions a where a.action_id = any(${params.of(hashes, actionIds)})`,
  );
}

/** The logical times that a statement finds; each once. */
export async function findLts(reading: HistorySnapshot, statement: Statement): Promise<readonly bigint[]> {
  const rows = await reading.query(statement);
  return [...new Set(rows.map((row) => int8.read(columnOf(row, "lt"))))];
}

/** Filters that name traces by what they contain. */
export interface NamedTraces {
  readonly traceIds: readonly Hash[];
  readonly transactions: readonly Hash[];
  readonly messages: readonly Hash[];
}

/** The traces that pass each of the filters that are there, and the transactions of the messages. */
export interface NamedPlaces {
  readonly traceIds: readonly Hash[];
  /** The transactions that received or sent the messages. */
  readonly ends: readonly Hash[];
  readonly outside?: OutsideTraces | undefined;
}

/** Traces that began with external messages that were received too many times to look them up. */
export interface OutsideTraces extends OutsideMessages {
  /** The traces that the other filters name; absent when there are no others. */
  readonly traceIds?: readonly Hash[] | undefined;
}

export async function findNamed(
  reading: HistorySnapshot,
  { traceIds, transactions, messages }: NamedTraces,
): Promise<NamedPlaces> {
  const { places: ends, outside }: MessageEnds =
    messages.length === 0 ? { places: [] } : await findEnds(reading, { hashes: messages });
  const lists = [
    ...(traceIds.length === 0 ? [] : [traceIds]),
    ...(transactions.length === 0
      ? []
      : [(await findTransactions(reading, transactions)).map(({ traceId }) => traceId)]),
  ];
  const others = lists.length === 0 ? undefined : inAll(lists);
  return {
    traceIds: messages.length === 0 ? (others ?? []) : inAll([ends.map(({ traceId }) => traceId), ...lists]),
    ends: ends.map((each) => each.hash),
    outside: outside && { ...outside, traceIds: others },
  };
}

/** The values that all lists have, each once. */
function inAll(lists: readonly (readonly Hash[])[]): readonly Hash[] {
  const [first = [], ...others] = lists.map((each) => new Set(each));
  return [...first].filter((id) => others.every((each) => each.has(id)));
}

/** Where actions are that are named by their ids, or by those of traces, transactions or messages. */
export interface ActionPlaces {
  /** The traces, unless the actions are named by their own ids alone. */
  readonly traceIds?: readonly Hash[] | undefined;
  /** The transactions of the messages. */
  readonly ends: readonly Hash[];
  /** The logical times at which the traces ended; none when there are no such actions. */
  readonly lts: readonly bigint[];
  readonly outside?: OutsideTraces | undefined;
}

/** `undefined` for filters that name none. */
export async function findActionPlaces(
  reading: HistorySnapshot,
  filter: NamedTraces & { readonly actionIds: readonly Hash[] },
): Promise<ActionPlaces | undefined> {
  const { traceIds, transactions, messages, actionIds } = filter;
  const isOfTraces = traceIds.length + transactions.length + messages.length > 0;
  if (!isOfTraces && actionIds.length === 0) return undefined;
  const named: Omit<ActionPlaces, "lts"> = isOfTraces
    ? await findNamed(reading, filter)
    : { traceIds: undefined, ends: [] };
  if (named.traceIds?.length === 0) return { ...named, lts: [] };
  const places = actionIds.length > 0 ? actionPlacesSql(actionIds) : actionEndsSql(named.traceIds ?? []);
  return { ...named, lts: await findLts(reading, places) };
}
