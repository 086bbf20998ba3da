import { readRoot } from "../../../cell/boc.ts";
import { loadCell } from "../../../cell/codec.ts";
import { findDecodedBody, findOpcodeName } from "../../../contracts/decode.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { TransactionDescription } from "../../../model/Transaction.ts";
import { addresses, hash, hashes } from "../../store/columns.ts";
import type { SqlRow } from "../../store/Database.ts";
import { readRow, selectList } from "../../store/Table.ts";
import { accountStates, messages } from "../../store/tables.ts";
import type { HistorySnapshot } from "../History.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";
import type { AccountStateRow, FullMessage, FullTransaction, MessageRow, TransactionRow } from "./FullTransaction.ts";

/** The columns of a message, from `messages m`. */
export const messageColumns: string = selectList(messages, "m");

/** Messages that transactions received, by hash, and those that they sent. */
export function messagesOfSql(received: readonly Hash[], senders: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${messageColumns} from messages m
    where m.hash = any(${params.of(hashes, received)}) or m.out_tx_hash = any(${params.of(hashes, senders)})`);
}

export function statesOfSql(accounts: readonly Address[], states: readonly Hash[]): Statement {
  const params = new Params();
  const pairs = `unnest(${params.of(addresses, accounts)}, ${params.of(hashes, states)}) as k(account, hash)`;
  return params.lookup(`
    select ${selectList(accountStates, "s")} from ${pairs}
    join account_states s on s.account = k.account and s.hash = k.hash`);
}

/** The external messages that began traces. */
export function externalsOfSql(traceIds: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select t.trace_id, t.external_hash from traces t
    where t.trace_id = any(${params.of(hashes, traceIds)}) and t.external_hash is not null`);
}

/** Adds messages, their contents, account states and external hashes to transactions, with concurrent statements. */
export async function fillTransactions(
  reading: HistorySnapshot,
  rows: readonly TransactionRow[],
): Promise<readonly FullTransaction[]> {
  if (rows.length === 0) return [];
  const received = rows.flatMap(({ inMsgHash }) => inMsgHash ?? []);
  const senders = rows.map(({ hash }) => hash);
  const accounts = rows.flatMap(({ account }) => [account, account]);
  const around = rows.flatMap(({ stateHashBefore, stateHashAfter }) => [stateHashBefore, stateHashAfter]);
  const traceIds = [...new Set(rows.map(({ traceId }) => traceId))];
  const [found, states, externals] = await Promise.all([
    reading.query(messagesOfSql(received, senders)),
    reading.rows(accountStates, statesOfSql(accounts, around)),
    reading.query(externalsOfSql(traceIds)),
  ]);
  return joinTransactions(rows, found.map(readMessage), states, new Map(externals.map(readExternal)));
}

/** Joins transactions with their messages and states. */
export function joinTransactions(
  rows: readonly TransactionRow[],
  found: readonly FullMessage[],
  states: readonly AccountStateRow[],
  externals: ReadonlyMap<Hash, Hash> = new Map(),
): readonly FullTransaction[] {
  const byHash = new Map(found.map((message) => [message.row.hash, message]));
  const sent = new Map<Hash, FullMessage[]>();
  for (const message of byHash.values()) {
    const { outTxHash } = message.row;
    if (outTxHash !== undefined) sent.set(outTxHash, [...(sent.get(outTxHash) ?? []), message]);
  }
  const stateOf = new Map(states.map((state) => [`${state.account}/${state.hash}`, state]));
  return rows.map((row) => ({
    row,
    description: loadCell(TransactionDescription, readRoot(row.description)),
    inMessage: row.inMsgHash === undefined ? undefined : byHash.get(row.inMsgHash),
    outMessages: (sent.get(row.hash) ?? []).toSorted(bySending),
    stateBefore: stateOf.get(`${row.account}/${row.stateHashBefore}`),
    stateAfter: stateOf.get(`${row.account}/${row.stateHashAfter}`),
    traceExternalHash: externals.get(row.traceId),
  }));
}

function readExternal(row: SqlRow): readonly [traceId: Hash, external: Hash] {
  return [hash.read(columnOf(row, "trace_id")), hash.read(columnOf(row, "external_hash"))];
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
  const { opcode, body, bodyHash, init, initHash } = row;
  return {
    row,
    opcodeName: opcode === undefined ? undefined : findOpcodeName(opcode),
    body: { hash: bodyHash, boc: body, decoded: findDecodedBody(readRoot(body)) },
    init: initHash && init && { hash: initHash, boc: init, decoded: undefined },
  };
}
