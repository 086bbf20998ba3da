import type { Clock } from "../../lib/clock.ts";
import type { BatchRows } from "../store/write/BatchRows.ts";
import type { Sink } from "./steps/CommitQueue.ts";

/** Totals of everything written. */
export interface SinkCounters {
  commits: number;
  seconds: number;
  rows: number;
}

/** Counts what goes into a sink. */
export function countingSink(sink: Sink, clock: Clock): Sink & { readonly counters: SinkCounters } {
  const counters = { commits: 0, seconds: 0, rows: 0 };
  return {
    counters,
    commit: async (batches, segment, made) => {
      const startedAt = clock.monotonic();
      await sink.commit(batches, segment, made);
      counters.commits++;
      counters.seconds += (clock.monotonic() - startedAt) / 1_000;
      for (const batch of batches) counters.rows += countRows(batch);
    },
  };
}

function countRows({ entities, ...rows }: BatchRows): number {
  const lists: readonly unknown[] = [...Object.values(rows), ...Object.values(entities)];
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
