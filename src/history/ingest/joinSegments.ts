import type { Hash } from "../../model/Hash.ts";
import { joinUndecided } from "../scope/joinUndecided.ts";
import type { SqlSession } from "../store/Database.ts";
import type { Segment } from "../store/schema/checkpoint.ts";
import { hashList } from "../store/schema/columns.ts";
import * as tables from "../store/schema/tables.ts";
import { useIndexes } from "../store/write/commit.ts";
import { dropRepeated } from "../store/write/repeatedExternals.ts";
import { forgetMeaning } from "./traces/cutTraces.ts";

/**
 * Joins two adjacent segments. Messages still open at the end of the earlier one are those by which traces of the later
 * one began: these traces become one. Most of the later ones are broken; those that the system account began look whole
 * and may be classified, which is undone. Runs in the caller's transaction, with no other writer. Returns the
 * traces that became complete and wait for classification.
 */
export async function joinSegments(session: SqlSession, earlier: Segment, later: Segment): Promise<readonly Hash[]> {
  await session.run(useIndexes);
  await joinUndecided(session, earlier, later);
  // Two steps, because a statement that creates a table takes no parameters.
  await session.run("create temporary table joined_traces (msg_hash bytea, parent bytea, child bytea) on commit drop");
  await session.query(
    `insert into joined_traces
     select e.msg_hash, e.trace_id, c.trace_id
     from (
       select e.msg_hash, e.trace_id from open_edges e join traces p on p.trace_id = e.trace_id
       where p.mc_seqno_start >= $1::int and p.mc_seqno_start < $2::int
     ) e
     join traces c on c.external_hash = e.msg_hash
     where c.mc_seqno_start >= $2::int and c.mc_seqno_start < $3::int`,
    [earlier.firstSeqno, later.firstSeqno, later.nextSeqno],
  );
  await forgetJoined(session);
  await session.run(moveRows);
  const completed = await session.query(
    `select t.trace_id from traces t
     where t.state = 'complete' and t.trace_id in (select parent from joined_traces)`,
  );
  const ids = completed.map((row) => tables.traces.columns.traceId.read(row.trace_id ?? null));
  await session.query(
    `insert into trace_accounts (account, end_lt, trace_id, end_utime)
     select distinct x.account, t.end_lt, t.trace_id, t.end_utime
     from (select t.trace_id, t.end_lt, t.end_utime from traces t where t.trace_id = any($1::bytea[])) t
     join transactions x on x.trace_id = t.trace_id`,
    [hashList(ids)],
  );
  await session.run("drop table joined_traces");
  await dropRepeated(session, earlier, later);
  await session.query("delete from segments where first_seqno = $1", [later.firstSeqno]);
  await session.query("update segments set next_seqno = $2 where first_seqno = $1", [
    earlier.firstSeqno,
    later.nextSeqno,
  ]);
  return ids;
}

const carriers = ["transactions", "jetton_transfers", "jetton_burns", "nft_transfers"];

/** Undoes the classification of traces that are a part of another one. */
async function forgetJoined(session: SqlSession): Promise<void> {
  const rows = await session.query(
    `select t.trace_id, t.end_lt from traces t
     where t.state <> 'broken' and t.trace_id in (select child from joined_traces)`,
  );
  const { traceId, endLt } = tables.traces.columns;
  for (const { trace_id, end_lt } of rows)
    await forgetMeaning(session, { id: traceId.read(trace_id ?? null), endLt: endLt.read(end_lt ?? null) });
}

/** Everything is read before anything is changed. */
const moveRows = `
${carriers.map((name) => `update ${name} x set trace_id = j.parent from joined_traces j where x.trace_id = j.child;`).join("\n")}
delete from open_edges e using joined_traces j where e.msg_hash = j.msg_hash;
update open_edges e set trace_id = j.parent from joined_traces j where e.trace_id = j.child;
update traces t set
  mc_seqno_end = greatest(t.mc_seqno_end, s.mc_seqno_end),
  end_lt = greatest(t.end_lt, s.end_lt),
  end_utime = greatest(t.end_utime, s.end_utime),
  nodes = t.nodes + s.nodes,
  edges = t.edges + s.edges + s.joined,
  pending_edges = t.pending_edges + s.pending_edges - s.joined,
  state = case
    when t.state = 'broken' then 'broken'
    when t.pending_edges + s.pending_edges - s.joined = 0 then 'complete'
    else 'pending' end
from (
  select j.parent, count(*)::int as joined, sum(c.nodes)::int as nodes,
    sum(c.edges - case when c.state = 'broken' then 0 else 1 end)::int as edges,
    sum(c.pending_edges)::int as pending_edges, max(c.mc_seqno_end) as mc_seqno_end, max(c.end_lt) as end_lt,
    max(c.end_utime) as end_utime
  from joined_traces j join traces c on c.trace_id = j.child
  group by j.parent
) s
where t.trace_id = s.parent;
delete from traces t using joined_traces j where t.trace_id = j.child;
`;
