import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { TraceTransaction } from "../../model/Trace.ts";
import { traceOf } from "../ingest/traces/storedTraces.ts";
import type { OpenTrace } from "../ingest/traces/TraceMemory.ts";
import type { SqlRow, SqlSession } from "../store/Database.ts";
import type { Row } from "../store/schema/Table.ts";
import { transactions as table } from "../store/schema/tables.ts";
import { readUndecided } from "../store/write/undecidedRows.ts";
import { type ActionRows, classifyLarge, describeActions, transactionsLimit } from "./actionRows.ts";

/**
 * The rows of a trace with more transactions than can be classified: one unknown action with the first of them, and all
 * accounts that took part. The whole trace might not fit in memory, because contracts may call each other for years.
 */
export async function makeLargeRows(
  session: Pick<SqlSession, "query">,
  { row, seen }: OpenTrace,
  max = transactionsLimit,
): Promise<ActionRows> {
  const ofTrace = `\\x${row.traceId}`;
  const stored = await session.query(
    `select hash, account, lt, now, mc_block_seqno, aborted, orig_status, end_status from transactions
     where trace_id = $1::bytea order by lt, account limit ${max}`,
    [ofTrace],
  );
  const others = await session.query("select distinct account from transactions where trace_id = $1::bytea", [ofTrace]);
  const waiting = (await readUndecided(session, [row.traceId])).flatMap(({ rows }) => rows.transactions.map(makeBare));
  const first = new Map<Hash, TraceTransaction>();
  for (const each of [...waiting, ...stored.map(readBare), ...seen]) first.set(each.hash, each);
  const trace = traceOf(row, [...first.values()]);
  const accounts = new Set<Address>(others.map((each) => table.columns.account.read(each.account ?? null)));
  for (const { account } of [...waiting, ...seen]) accounts.add(account);
  return describeActions(trace, classifyLarge(trace, max), accounts);
}

/** A transaction made from its row alone, without its messages. */
function readBare(row: SqlRow): TraceTransaction {
  const { hash, account, lt, now, mcBlockSeqno, aborted, origStatus, endStatus } = table.columns;
  return makeBare({
    hash: hash.read(row.hash ?? null),
    account: account.read(row.account ?? null),
    lt: lt.read(row.lt ?? null),
    now: now.read(row.now ?? null),
    mcBlockSeqno: mcBlockSeqno.read(row.mc_block_seqno ?? null),
    aborted: aborted.read(row.aborted ?? null),
    origStatus: origStatus.read(row.orig_status ?? null),
    endStatus: endStatus.read(row.end_status ?? null),
  });
}

type BareRow = Pick<
  Row<typeof table>,
  "hash" | "account" | "lt" | "now" | "mcBlockSeqno" | "aborted" | "origStatus" | "endStatus"
>;

function makeBare({ hash, account, lt, now, mcBlockSeqno, aborted, origStatus, endStatus }: BareRow): TraceTransaction {
  return {
    ...{ hash, account, lt, now, mcSeqno: mcBlockSeqno, aborted, origStatus, endStatus },
    isTickTock: false,
    emulated: false,
    exitCode: undefined,
    computeSkipped: undefined,
    inMessage: undefined,
    outMessages: [],
  };
}
