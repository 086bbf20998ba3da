import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Hash } from "../../model/Hash.ts";
import { hashes, int8s } from "../store/schema/columns.ts";
import { selectList } from "../store/schema/Table.ts";
import { actions, type TraceRow } from "../store/schema/tables.ts";
import { type ActionRow, visibility } from "./actions.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";

/** Where a trace ends: its actions are there. */
type TraceEnd = Pick<TraceRow, "traceId" | "endLt">;

export function actionsOfTracesSql(of: readonly TraceEnd[], supported: ReadonlySet<string>): Statement {
  const params = new Params();
  const ids = params.of(
    hashes,
    of.map(({ traceId }) => traceId),
  );
  const ends = params.of(
    int8s,
    of.map(({ endLt }) => endLt),
  );
  return params.lookup(`
    select ${selectList(actions, "a")} from unnest(${ids}, ${ends}) as k(trace_id, end_lt)
    join actions a on a.trace_id = k.trace_id and a.trace_end_lt = k.end_lt
    where ${visibility(params, { supported, types: [] })}
    order by a.start_lt, a.end_lt, a.action_id`);
}

/** Actions of traces for a caller that supports these types, by trace. */
export async function listActionsOf(
  reading: HistorySnapshot,
  of: readonly TraceEnd[],
  supported: ReadonlySet<string>,
): Promise<ReadonlyMap<Hash, readonly ActionRow[]>> {
  if (of.length === 0) return new Map();
  return groupBy(await reading.rows(actions, actionsOfTracesSql(of, supported)), ({ traceId }) => traceId);
}
