import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { SqlSession } from "../store/Database.ts";
import { listSegments, type Segment } from "../store/schema/checkpoint.ts";
import { beginsFact, findFact } from "../store/schema/indexFacts.ts";
import { listMissing, type MissingPart } from "../store/schema/missingParts.ts";
import { findFirstSeqno, listLeases } from "./leases.ts";
import type { SegmentPlan } from "./planSegments.ts";
import { type Rates, secondsLeft } from "./progress.ts";

/** Why work failed, and when it is retried. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Consecutive failures. */
  readonly attempt: number;
  /** Unix times. */
  readonly failedAt: number;
  readonly nextTryAt: number;
}

export interface SegmentStatus extends Rates {
  readonly kind: SegmentPlan["kind"];
  readonly firstSeqno: number;
  readonly nextSeqno: number;
  readonly to: number | undefined;
  readonly blocks: number;
  readonly transactions: number;
  /** Blocks left to the end of the segment or to the head, and the estimated time for them if the rate is known. */
  readonly blocksLeft: number;
  readonly secondsLeft: number | undefined;
  readonly failure: Failure | undefined;
}

/** Status of an index that this process writes. */
export interface IndexerStatus {
  readonly kind: "starting" | "catchingUp" | "following" | "failing" | "done" | "stopped";
  readonly head: number | undefined;
  /** The newest indexed block of a segment, without a gap before it. */
  readonly lastSeqno: number | undefined;
  readonly lastUtime: number | undefined;
  /** Age of the newest indexed block in seconds. */
  readonly lagSeconds: number | undefined;
  readonly workers: readonly SegmentStatus[];
  /** Why no segment worker runs, for example an unreachable database. */
  readonly failure: Failure | undefined;
}

/** A failure that is retried after a wait. */
export function describeFailure(
  error: unknown,
  { attempt, waitMs, clock }: { readonly attempt: number; readonly waitMs: number; readonly clock: Clock },
): Failure {
  return {
    code: isCoded(error) ? error.code : "unexpected",
    message: error instanceof Error ? error.message : String(error),
    attempt,
    failedAt: Math.round(clock.now() / 1000),
    nextTryAt: Math.round((clock.now() + waitMs) / 1000),
  };
}

/** Status read from the tables, whichever process writes them. */
export interface StoredIndexStatus {
  readonly segments: readonly Segment[];
  /** Ranges that processes are indexing, with the last block of each that is done. */
  readonly ranges: readonly StoredRange[];
  /** Blocks to backfill, all together, and the time left at the current rate, if it is known. */
  readonly blocksLeft: number;
  readonly secondsLeft: number | undefined;
  readonly lastSeqno: number | undefined;
  readonly lastUtime: number | undefined;
  readonly lagSeconds: number | undefined;
  /** Blocks missing between the first and the last one. */
  readonly missing: number;
  /** Blocks that an older version indexed without nominator pools, their events, and auctions of domains. */
  readonly withoutPools: readonly Segment[];
  readonly pendingTraces: number;
  readonly unclassifiedTraces: number;
  /** Partitions of all tables, and those that are rewritten in the order of accounts. */
  readonly partitions: number;
  readonly sealedPartitions: number;
  /** Ranges of blocks that an older version indexed without stakes, elections and validator sets. */
  readonly withoutValidators: readonly Segment[];
}

/** A range that a process is indexing, as the tables have it. */
export interface StoredRange extends Rates {
  readonly kind: SegmentPlan["kind"];
  readonly firstSeqno: number;
  readonly nextSeqno: number;
  readonly lastSeqno: number | undefined;
  readonly holder: string;
  /** Seconds since the holder reported last. */
  readonly silentSeconds: number;
}

/** Reads the status of the index from the tables. */
export async function indexStatus(database: Pick<SqlSession, "query">, clock: Clock): Promise<StoredIndexStatus> {
  const segments = await listSegments(database);
  const last = segments.at(-1);
  const lastSeqno = last === undefined ? undefined : last.nextSeqno - 1;
  const [row] = await database.query(
    `select (select gen_utime from blocks
         where workchain = -1 and shard = (-9223372036854775808)::bigint and seqno = $1::int) as utime,
       (select count(*) from traces where state = 'pending') as pending,
       (select count(*) from traces where state = 'complete' and classification_state = 'unclassified') as unclassified,
       (select count(*) from pg_inherits i join pg_partitioned_table p on p.partrelid = i.inhparent
         join pg_class c on c.oid = i.inhrelid
         where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())) as partitions,
       (select count(*) from sealed_partitions) as sealed`,
    [lastSeqno ?? -1],
  );
  const lastUtime = row?.utime === null || row?.utime === undefined ? undefined : Number(row.utime);
  const lagSeconds = lastUtime === undefined ? undefined : Math.max(0, Math.round(clock.now() / 1000) - lastUtime);
  const gaps = segments.slice(1).map((segment, index) => segment.firstSeqno - (segments[index]?.nextSeqno ?? 0));
  const ranges = await listRanges(database, segments);
  const blocksLeft = await countLeft(database, segments, ranges);
  const blocksPerSecond = ranges.reduce((sum, each) => sum + (each.kind === "backfill" ? each.blocksPerSecond : 0), 0);
  return {
    segments,
    ranges,
    blocksLeft,
    secondsLeft: secondsLeft(blocksLeft, { blocksPerSecond, transactionsPerSecond: 0 }),
    lastSeqno,
    lastUtime,
    lagSeconds,
    missing: gaps.reduce((sum, gap) => sum + gap, 0),
    withoutPools: await listKeptMissing(database, "pools"),
    pendingTraces: Number(row?.pending ?? 0),
    unclassifiedTraces: Number(row?.unclassified ?? 0),
    partitions: Number(row?.partitions ?? 0),
    sealedPartitions: Number(row?.sealed ?? 0),
    withoutValidators: await listKeptMissing(database, "validators"),
  };
}

/** Without what was removed because it is old. */
async function listKeptMissing(database: Pick<SqlSession, "query">, part: MissingPart): Promise<readonly Segment[]> {
  const begins = Number((await findFact(database, beginsFact)) ?? 0);
  const all = (await listMissing(database, part)).map(({ firstSeqno, nextSeqno }) => {
    return { firstSeqno: Math.max(firstSeqno, begins), nextSeqno };
  });
  return all.filter(({ firstSeqno, nextSeqno }) => firstSeqno < nextSeqno);
}

async function listRanges(
  database: Pick<SqlSession, "query">,
  segments: readonly Segment[],
): Promise<readonly StoredRange[]> {
  const [row] = await database.query("select (extract(epoch from clock_timestamp()) * 1000)::bigint as now");
  const now = Number(row?.now);
  return (await listLeases(database)).map(({ beatAt, epoch: _epoch, takenAt: _takenAt, ...lease }) => ({
    ...lease,
    nextSeqno: segments.find(({ firstSeqno }) => firstSeqno === lease.firstSeqno)?.nextSeqno ?? lease.firstSeqno,
    silentSeconds: Math.max(0, Math.round((now - beatAt) / 1000)),
  }));
}

/** Blocks missing between the first wanted one and the followed segment. */
async function countLeft(
  database: Pick<SqlSession, "query">,
  segments: readonly Segment[],
  ranges: readonly StoredRange[],
): Promise<number> {
  const first = (await findFirstSeqno(database)) ?? segments[0]?.firstSeqno ?? 0;
  const end = ranges.find(({ kind }) => kind === "follow")?.firstSeqno ?? segments.at(-1)?.firstSeqno ?? first;
  const done = segments.reduce(
    (sum, { firstSeqno, nextSeqno }) => sum + Math.max(0, Math.min(nextSeqno, end) - Math.max(firstSeqno, first)),
    0,
  );
  return Math.max(0, end - first - done);
}
