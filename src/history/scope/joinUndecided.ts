import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Hash } from "../../model/Hash.ts";
import type { SqlSession } from "../store/Database.ts";
import type { Segment } from "../store/schema/checkpoint.ts";
import { hash as hashColumn, hashList } from "../store/schema/columns.ts";
import { columnName, type RowDraft } from "../store/schema/Table.ts";
import { type UndecidedTraceRow, undecidedTraces } from "../store/schema/tables.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";
import { noRows } from "../store/write/BatchRows.ts";
import { writeDecided } from "../store/write/commit.ts";
import { asBatch, dropUndecided, listUndecidedTraces, takeUndecided } from "../store/write/undecidedRows.ts";

/** A trace of the later segment that a message of the earlier one began. */
interface Child {
  readonly id: Hash;
  readonly parent: Hash;
  readonly message: Hash;
}

interface Edge {
  readonly message: Hash;
  readonly traceId: Hash;
}

/**
 * Prepares the join of two segments of an index with a scope, in its transaction. Of traces that become one, all are
 * kept when one of them touches the scope; those that all wait become one that waits, and is dropped when it is
 * complete.
 */
export async function joinUndecided(session: SqlSession, earlier: Segment, later: Segment): Promise<void> {
  const [row] = await session.query("select exists (select 1 from undecided_traces) as waits");
  if (row?.waits !== true) return;
  const ofEarlier = [earlier.firstSeqno, later.firstSeqno] as const;
  const waitingEdges = await listEdges(session, "undecided_traces", ofEarlier);
  const edges = [...waitingEdges, ...(await listEdges(session, "traces", ofEarlier))];
  const ofLater = [later.firstSeqno, later.nextSeqno] as const;
  const waitingChildren = await listChildren(session, "undecided_traces", edges, ofLater);
  const children = [...waitingChildren, ...(await listChildren(session, "traces", edges, ofLater))];
  const waits = new Set([...waitingEdges.map(({ traceId }) => traceId), ...waitingChildren.map(({ id }) => id)]);
  const released: Hash[] = [];
  for (const [parent, own] of groupBy(children, (child) => child.parent)) {
    const members = [parent, ...own.map(({ id }) => id)];
    if (members.every((id) => waits.has(id))) await merge(session, parent, own);
    else released.push(...members.filter((id) => waits.has(id)));
  }
  await release(session, [...new Set(released)]);
}

type SeqnoRange = readonly [from: number, end: number];

/** Messages that traces of a range have sent and nobody has received. */
async function listEdges(session: SqlSession, table: string, [from, end]: SeqnoRange): Promise<readonly Edge[]> {
  const rows = await session.query(
    `select e.msg_hash, e.trace_id from open_edges e join ${table} p on p.trace_id = e.trace_id
     where p.mc_seqno_start >= $1::int and p.mc_seqno_start < $2::int order by e.msg_hash`,
    [from, end],
  );
  return rows.map((row) => ({
    message: hashColumn.read(row.msg_hash ?? null),
    traceId: hashColumn.read(row.trace_id ?? null),
  }));
}

async function listChildren(
  session: SqlSession,
  table: string,
  edges: readonly Edge[],
  [from, end]: SeqnoRange,
): Promise<readonly Child[]> {
  const parents = new Map(edges.map(({ message, traceId }) => [message, traceId]));
  const rows = await session.query(
    `select c.trace_id, c.external_hash from ${table} c
     where c.external_hash = any($1::bytea[]) and c.mc_seqno_start >= $2::int and c.mc_seqno_start < $3::int
     order by c.trace_id`,
    [hashList(parents.keys()), from, end],
  );
  return rows.flatMap((row) => {
    const message = hashColumn.read(row.external_hash ?? null);
    const parent = parents.get(message);
    return parent === undefined ? [] : [{ id: hashColumn.read(row.trace_id ?? null), parent, message }];
  });
}

/** Writes traces that waited into the tables; they are joined there like all others. */
async function release(session: SqlSession, ids: readonly Hash[]): Promise<void> {
  if (ids.length === 0) return;
  const traces = await listUndecidedTraces(session, "t.trace_id = any($1::bytea[])", [hashList(ids)]);
  const parts = (await takeUndecided(session, ids)).map(asBatch);
  const rows: BatchRows = { ...noRows(0), traces };
  await writeDecided(session, [...parts, rows]);
}

/** Makes one trace of several that wait. */
async function merge(session: SqlSession, parent: Hash, children: readonly Child[]): Promise<void> {
  const ids = children.map(({ id }) => id);
  const rows = await listUndecidedTraces(session, "t.trace_id = any($1::bytea[])", [hashList([parent, ...ids])]);
  const row = rows.find(({ traceId }) => traceId === parent);
  if (row === undefined) return;
  const joined = joinTraces(
    row,
    rows.filter(({ traceId }) => traceId !== parent),
  );
  const to = [`\\x${parent}`, hashList(ids)] as const;
  await session.query("delete from open_edges where msg_hash = any($1::bytea[])", [
    hashList(children.map(({ message }) => message)),
  ]);
  await session.query("update open_edges set trace_id = $1::bytea where trace_id = any($2::bytea[])", to);
  await session.query("update undecided_rows set trace_id = $1::bytea where trace_id = any($2::bytea[])", to);
  await session.query("delete from undecided_traces where trace_id = any($1::bytea[])", [hashList(ids)]);
  if (joined.state === "complete" && !joined.mayHaveParent) await dropUndecided(session, [parent]);
  else await updateTrace(session, joined);
}

/** A trace with those that its messages began; each child counted the message itself unless it was broken. */
function joinTraces(parent: UndecidedTraceRow, children: readonly UndecidedTraceRow[]): UndecidedTraceRow {
  const joined: RowDraft<UndecidedTraceRow> = { ...parent };
  for (const { mcSeqnoEnd, endLt, endUtime, nodes, edges, pendingEdges, state } of children) {
    joined.mcSeqnoEnd = Math.max(joined.mcSeqnoEnd, mcSeqnoEnd);
    if (endLt > joined.endLt) joined.endLt = endLt;
    joined.endUtime = Math.max(joined.endUtime, endUtime);
    joined.nodes += nodes;
    joined.edges += edges + (state === "broken" ? 1 : 0);
    joined.pendingEdges += pendingEdges - 1;
  }
  if (joined.state !== "broken") joined.state = joined.pendingEdges === 0 ? "complete" : "pending";
  return joined;
}

async function updateTrace(session: SqlSession, row: UndecidedTraceRow): Promise<void> {
  const { traceId, mcSeqnoEnd, endLt, endUtime, nodes, edges, pendingEdges, state } = row;
  const changes = Object.entries({ mcSeqnoEnd, endLt: String(endLt), endUtime, nodes, edges, pendingEdges, state });
  const list = changes.map(([name], index) => `"${columnName(name)}" = $${index + 2}`).join(", ");
  const values = changes.map(([, value]) => value);
  await session.query(`update ${undecidedTraces.name} set ${list} where trace_id = $1::bytea`, [
    `\\x${traceId}`,
    ...values,
  ]);
}
