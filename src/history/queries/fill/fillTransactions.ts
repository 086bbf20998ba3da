import { readRoot } from "../../../cell/boc.ts";
import { loadCell } from "../../../cell/codec.ts";
import { systemClock } from "../../../lib/clock.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import { runInTurns } from "../../../lib/sharing/steps.ts";
import { TurnBudget } from "../../../lib/TurnBudget.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { TransactionDescription } from "../../../model/Transaction.ts";
import type { SqlRow } from "../../store/Database.ts";
import { addresses, hash, hashes, int8s } from "../../store/schema/columns.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import { accountStates, messages } from "../../store/schema/tables.ts";
import { findStateAfter, statesAfter } from "../../store/write/statesAfter.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";
import { type BodyMeaning, describeByAbis, readMeaning } from "./bodyMeaning.ts";
import type { AccountStateRow, FullMessage, FullTransaction, MessageRow, TransactionRow } from "./FullTransaction.ts";

/** The columns of a message, from `messages m`. */
export const messageColumns: string = selectList(messages, "m");

/** Hashes, each with the logical time of the transaction that has it. */
export interface HashesAt {
  readonly hashes: readonly Hash[];
  readonly lts: readonly bigint[];
}

/** A message is sent within this many logical times after the start of its transaction: a few hundred at most. */
export const sentWithin: number = 1 << 20;
/** Most messages are received, and traces go on, within this many logical times: about an hour of the main network. */
export const near: bigint = 1n << 32n;

export const unnested = (params: Params, { hashes: of, lts }: HashesAt): string =>
  `unnest(${params.of(hashes, of)}, ${params.of(int8s, lts)}) as k(hash, lt)`;

/**
 * Messages that transactions received, and those that they sent; one may be both. Logical times bound the partitions
 * that are looked into: messages that were under way for long are missing.
 */
export function messagesNearSql(received: HashesAt, senders: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select ${messageColumns} from ${unnested(params, received)}
    join messages m on m.hash = k.hash and m.lt <= k.lt and m.lt > k.lt - ${near}
    union all select ${messageColumns} from ${unnested(params, senders)}
    join messages m on m.out_tx_hash = k.hash and m.lt > k.lt and m.lt < k.lt + ${sentWithin}`);
}

/** Messages by hash, wherever they are. */
export function messagesByHashSql(of: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`select ${messageColumns} from messages m where m.hash = any(${params.of(hashes, of)})`);
}

/** States after transactions, by account and lt. */
export function statesAfterSql(accounts: readonly Address[], lts: readonly bigint[]): Statement {
  const params = new Params();
  const pairs = `unnest(${params.of(addresses, accounts)}, ${params.of(int8s, lts)}) as k(account, lt)`;
  return params.lookup(`
    select ${selectList(statesAfter, "t")} from ${pairs}
    join transactions t on t.account = k.account and t.lt = k.lt`);
}

/** States that are not with a transaction. */
export function statesApartSql(accounts: readonly Address[], states: readonly Hash[]): Statement {
  const params = new Params();
  const pairs = `unnest(${params.of(addresses, accounts)}, ${params.of(hashes, states)}) as k(account, hash)`;
  return params.lookup(`
    select ${selectList(accountStates, "s")} from ${pairs}
    join account_states s on s.account = k.account and s.hash = k.hash`);
}

/**
 * The external messages that began traces, null where none did, of those that began shortly before the transactions.
 */
export function externalsNearSql(traceIds: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select t.trace_id, t.external_hash from ${unnested(params, traceIds)}
    join traces t on t.trace_id = k.hash and t.start_lt <= k.lt and t.start_lt > k.lt - ${near}`);
}

/** The same of all. */
export function externalsOfSql(traceIds: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select t.trace_id, t.external_hash from traces t where t.trace_id = any(${params.of(hashes, traceIds)})`);
}

/**
 * Adds messages, their contents, account states and external hashes to transactions, with concurrent statements. The
 * external messages of traces are looked up unless they are known.
 */
export async function fillTransactions(
  reading: HistorySnapshot,
  rows: readonly TransactionRow[],
  known?: ReadonlyMap<Hash, Hash>,
): Promise<readonly FullTransaction[]> {
  const described = await mapInPieces(rows, describeRow);
  reading.countMessages(described.reduce((sum, { messages }) => sum + messages, 0));
  const full: FullTransaction[] = [];
  for (const some of splitRows(described)) full.push(...(await fillSome(reading, some, known)));
  const turns = new TurnBudget(systemClock);
  return runInTurns(describeByAbis(full, reading.abis), () => turns.yieldIfDue());
}

/** How many transactions one statement completes: between two statements, other requests have their turn. */
const maxAtOnce = 200;
/** The same for messages, of which a transaction may have hundreds. */
const maxMessagesAtOnce = 1000;

/** A transaction, and how many messages it has at most. */
interface DescribedRow {
  readonly row: TransactionRow;
  readonly description: TransactionDescription;
  readonly messages: number;
}

function describeRow(row: TransactionRow): DescribedRow {
  const description = loadCell(TransactionDescription, readRoot(row.description));
  const sent = "action" in description ? (description.action?.messagesCreated ?? 0) : 0;
  const returned = "bounce" in description && description.bounce?.kind === "ok" ? 1 : 0;
  return { row, description, messages: 1 + sent + returned };
}

/** Transactions in parts that one statement completes. */
function* splitRows(rows: readonly DescribedRow[]): Generator<readonly DescribedRow[]> {
  let [part, messages]: [DescribedRow[], number] = [[], 0];
  for (const each of rows) {
    if (part.length >= maxAtOnce || (part.length > 0 && messages + each.messages > maxMessagesAtOnce)) {
      yield part;
      [part, messages] = [[], 0];
    }
    part.push(each);
    messages += each.messages;
  }
  if (part.length > 0) yield part;
}

async function fillSome(
  reading: HistorySnapshot,
  described: readonly DescribedRow[],
  known: ReadonlyMap<Hash, Hash> | undefined,
): Promise<readonly FullTransaction[]> {
  const rows = described.map(({ row }) => row);
  const [found, states, externals] = await Promise.all([
    listMessagesOf(reading, rows),
    listStates(reading, rows),
    known ?? listExternals(reading, rows),
  ]);
  return joinDescribed(described, found, states, externals);
}

/** Messages that transactions received or sent. */
async function listMessagesOf(
  reading: HistorySnapshot,
  rows: readonly TransactionRow[],
): Promise<readonly FullMessage[]> {
  const received = rows.flatMap(({ inMsgHash, lt }) => (inMsgHash === undefined ? [] : { hash: inMsgHash, lt }));
  const found = await reading.query(messagesNearSql(hashesAt(received), hashesAt(rows)));
  const messages = await mapInPieces(found, readMessage);
  const known = new Set(messages.map(({ row }) => row.hash));
  const missing = received.flatMap(({ hash }) => (known.has(hash) ? [] : hash));
  if (missing.length === 0) return messages;
  return [...messages, ...(await mapInPieces(await reading.query(messagesByHashSql(missing)), readMessage))];
}

export function hashesAt(of: readonly { readonly hash: Hash; readonly lt: bigint }[]): HashesAt {
  return { hashes: of.map(({ hash }) => hash), lts: of.map(({ lt }) => lt) };
}

async function listExternals(
  reading: HistorySnapshot,
  rows: readonly TransactionRow[],
): Promise<ReadonlyMap<Hash, Hash>> {
  const traceIds = new Map(rows.map(({ traceId, lt }) => [traceId, lt]));
  const near = await reading.query(externalsNearSql({ hashes: [...traceIds.keys()], lts: [...traceIds.values()] }));
  const found = new Map(near.map(readExternal));
  const missing = [...traceIds.keys()].filter((id) => !found.has(id));
  if (missing.length > 0)
    for (const row of await reading.query(externalsOfSql(missing))) found.set(...readExternal(row));
  return new Map([...found].flatMap(([id, external]) => (external === undefined ? [] : [[id, external] as const])));
}

/** The states before and after transactions, as far as they are indexed and not in the rows themselves. */
async function listStates(
  reading: HistorySnapshot,
  rows: readonly TransactionRow[],
): Promise<readonly AccountStateRow[]> {
  const own = new Set(rows.map(({ account, lt }) => `${account} ${lt}`));
  const earlier = rows.filter(({ account, prevTransLt: lt }) => lt > 0n && !own.has(`${account} ${lt}`));
  const found = earlier.length === 0 ? [] : await reading.rows(statesAfter, statesAfterSql(...pairsBefore(earlier)));
  const states = [...rows, ...found].flatMap((row) => findStateAfter(row) ?? []);
  const known = new StatesByHash(states);
  const missing = rows
    .flatMap(({ account, stateHashBefore, stateHashAfter }) => [
      { account, hash: stateHashBefore },
      { account, hash: stateHashAfter },
    ])
    .filter(({ account, hash }) => known.find(account, hash) === undefined);
  if (missing.length === 0) return states;
  const apart = statesApartSql(
    missing.map(({ account }) => account),
    missing.map((each) => each.hash),
  );
  return [...states, ...(await reading.rows(accountStates, apart))];
}

/** States by account and hash. Accounts with equal states are few: only those that do not exist. */
class StatesByHash {
  readonly #first = new Map<Hash, AccountStateRow>();
  readonly #others = new Map<string, AccountStateRow>();

  constructor(states: readonly AccountStateRow[]) {
    for (const state of states) {
      const { account, hash } = state;
      if ((this.#first.get(hash)?.account ?? account) === account) this.#first.set(hash, state);
      else this.#others.set(`${account} ${hash}`, state);
    }
  }

  find(account: Address, hash: Hash): AccountStateRow | undefined {
    const first = this.#first.get(hash);
    return first === undefined || first.account === account ? first : this.#others.get(`${account} ${hash}`);
  }
}

function pairsBefore(rows: readonly TransactionRow[]): Parameters<typeof statesAfterSql> {
  return [rows.map(({ account }) => account), rows.map(({ prevTransLt }) => prevTransLt)];
}

/** Joins transactions with their messages and states. */
export function joinTransactions(
  rows: readonly TransactionRow[],
  fullMessages: readonly FullMessage[],
  states: readonly AccountStateRow[],
  externals: ReadonlyMap<Hash, Hash> = new Map(),
): readonly FullTransaction[] {
  return joinDescribed(rows.map(describeRow), fullMessages, states, externals);
}

function joinDescribed(
  rows: readonly DescribedRow[],
  fullMessages: readonly FullMessage[],
  states: readonly AccountStateRow[],
  externals: ReadonlyMap<Hash, Hash>,
): readonly FullTransaction[] {
  const byHash = new Map(fullMessages.map((message) => [message.row.hash, message]));
  const sent = new Map<Hash, FullMessage[]>();
  for (const message of byHash.values()) {
    const { outTxHash } = message.row;
    if (outTxHash === undefined) continue;
    const others = sent.get(outTxHash);
    if (others === undefined) sent.set(outTxHash, [message]);
    else others.push(message);
  }
  const stateOf = new StatesByHash(states);
  return rows.map(({ row, description }) => ({
    row,
    description,
    inMessage: row.inMsgHash === undefined ? undefined : byHash.get(row.inMsgHash),
    outMessages: (sent.get(row.hash) ?? []).toSorted(bySending),
    stateBefore: stateOf.find(row.account, row.stateHashBefore),
    stateAfter: stateOf.find(row.account, row.stateHashAfter),
    traceExternalHash: externals.get(row.traceId),
  }));
}

function readExternal(row: SqlRow): [traceId: Hash, external: Hash | undefined] {
  const external = columnOf(row, "external_hash");
  return [hash.read(columnOf(row, "trace_id")), external === null ? undefined : hash.read(external)];
}

function bySending(one: FullMessage, other: FullMessage): number {
  return (one.row.outIndex ?? 0) - (other.row.outIndex ?? 0);
}

/** A row of `messageColumns` as a message. */
export function readMessage(raw: SqlRow): FullMessage {
  return makeMessage(readRow(messages, raw));
}

/** A message with its contents. */
export function makeMessage(row: MessageRow): FullMessage {
  return joinMessage(row, readMeaning(readRoot(row.body), row.opcode));
}

/** The same where it is known what its body means, or nobody asks. */
export function joinMessage(row: MessageRow, { opcodeName, decoded }: BodyMeaning = noMeaning): FullMessage {
  const { body, bodyHash, init, initHash } = row;
  return {
    row,
    opcodeName,
    body: { hash: bodyHash, boc: body, decoded },
    init: initHash && init && { hash: initHash, boc: init, decoded: undefined },
  };
}

const noMeaning: BodyMeaning = { opcodeName: undefined, decoded: undefined };
