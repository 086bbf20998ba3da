import type { Metrics } from "../../../api/metrics.ts";
import type { ClassifyFailures } from "../../../contracts/engine/ClassifyFailures.ts";
import type { SinkCounters } from "../../../history/ingest/countingSink.ts";
import type { Indexer } from "../../../history/ingest/Indexer.ts";
import type { SegmentStatus } from "../../../history/ingest/IndexStatus.ts";
import type { BlockSource } from "../../../history/ingest/source/BlockSource.ts";
import type { IndexedHead } from "../../../history/store/schema/indexedHead.ts";
import type { Clock } from "../../../lib/clock.ts";

export interface IndexMetricsSource {
  readonly head: () => IndexedHead | undefined;
  readonly networkHead: () => number;
  readonly clock: Clock;
  readonly failures: Pick<ClassifyFailures, "counts">;
  /** Absent when the index is only read. */
  readonly indexer?: Pick<Indexer, "status" | "counters">;
  readonly source?: BlockSource;
  readonly sink?: { readonly counters: SinkCounters };
}

/** Reports the state of an index as metrics. */
export function registerIndexMetrics(metrics: Metrics, watched: IndexMetricsSource): void {
  const { head, networkHead, clock, failures, indexer, source, sink } = watched;
  const lag = () => Math.max(0, clock.now() / 1_000 - (head()?.utime ?? clock.now() / 1_000));
  const show = (name: string, help: string, read: () => number) =>
    metrics.watchGauge(`tongate_index_${name}`, help, read);
  const count = (name: string, help: string, read: () => number) =>
    metrics.watchCounter(`tongate_index_${name}_total`, help, read);
  show("seqno", "Newest masterchain block in the index.", () => head()?.seqno ?? 0);
  show("lag_seconds", "Age of the newest block in the index.", lag);
  show("behind_blocks", "Masterchain blocks between the index and the head.", () =>
    Math.max(0, networkHead() - (head()?.seqno ?? 0)),
  );
  metrics.watchCounters("tongate_classify_failures_total", "Failures of matchers, by matcher.", "matcher", () =>
    failures.counts(),
  );
  if (indexer === undefined || source === undefined || sink === undefined) return;
  const sum = (read: (worker: SegmentStatus) => number) =>
    indexer.status().workers.reduce((total, worker) => total + read(worker), 0);
  show("blocks_per_second", "Masterchain blocks indexed per second, over the last minute.", () =>
    sum((worker) => worker.blocksPerSecond),
  );
  show("transactions_per_second", "Transactions indexed per second, over the last minute.", () =>
    sum((worker) => worker.transactionsPerSecond),
  );
  show("blocks_left", "Masterchain blocks not indexed yet.", () => sum((worker) => worker.blocksLeft));
  show("is_failing", "1 while the index cannot be written.", () => (indexer.status().kind === "failing" ? 1 : 0));
  count("commits", "Database transactions that wrote blocks.", () => sink.counters.commits);
  count("commit_seconds", "Time spent writing blocks.", () => sink.counters.seconds);
  count("rows", "Rows written.", () => sink.counters.rows);
  count("fetched_blocks", "Blocks fetched.", () => source.counters().blocks);
  count("fetched_bytes", "Bytes of blocks fetched.", () => source.counters().bytes);
  count("repeated_queries", "Queries for blocks that were sent again.", () => source.counters().repeated);
  metrics.watchCounters("tongate_index_account_queries_total", "Queries for account states, by reason.", "reason", () =>
    countQueries(indexer),
  );
}

function countQueries(indexer: Pick<Indexer, "counters">): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { accounts } of indexer.counters())
    for (const [reason, count] of Object.entries(accounts.queries)) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}
