import type { Clock } from "../../lib/clock.ts";
import { listSegments, type Segment } from "../store/checkpoint.ts";
import type { SqlSession } from "../store/Database.ts";
import type { SegmentPlan } from "./planSegments.ts";
import type { Rates } from "./progress.ts";

/** Why something did not go on, and when it is tried again. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** How often in a row. */
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
  /** Blocks to the end of the lane, or to the head; and how long that takes at this rate, if it can be told. */
  readonly blocksLeft: number;
  readonly secondsLeft: number | undefined;
  readonly failure: Failure | undefined;
}

/** What an index that is being written says of itself. */
export interface IndexerStatus {
  readonly kind: "starting" | "catchingUp" | "following" | "failing" | "done" | "stopped";
  readonly head: number | undefined;
  /** The newest block that is in the tables without a gap before it in its segment. */
  readonly lastSeqno: number | undefined;
  readonly lastUtime: number | undefined;
  /** Seconds since the newest block in the tables was made. */
  readonly lagSeconds: number | undefined;
  readonly lanes: readonly SegmentStatus[];
  /** Why nothing runs at all, such as a database that is not there. */
  readonly failure: Failure | undefined;
}

/** What the tables say of the index, whoever writes them. */
export interface StoredIndexStatus {
  readonly segments: readonly Segment[];
  readonly lastSeqno: number | undefined;
  readonly lastUtime: number | undefined;
  readonly lagSeconds: number | undefined;
  /** Blocks missing between the first and the last one. */
  readonly missing: number;
  readonly pendingTraces: number;
  readonly unclassifiedTraces: number;
}

/** Reads how far the index is. */
export async function indexStatus(database: Pick<SqlSession, "query">, clock: Clock): Promise<StoredIndexStatus> {
  const segments = await listSegments(database);
  const last = segments.at(-1);
  const lastSeqno = last === undefined ? undefined : last.nextSeqno - 1;
  const [row] = await database.query(
    `select (select gen_utime from blocks
         where workchain = -1 and shard = (-9223372036854775808)::bigint and seqno = $1::int) as utime,
       (select count(*) from traces where state = 'pending') as pending,
       (select count(*) from traces where state = 'complete' and classification_state = 'unclassified') as unclassified`,
    [lastSeqno ?? -1],
  );
  const lastUtime = row?.utime === null || row?.utime === undefined ? undefined : Number(row.utime);
  const lagSeconds = lastUtime === undefined ? undefined : Math.max(0, Math.round(clock.now() / 1000) - lastUtime);
  const gaps = segments.slice(1).map((segment, index) => segment.firstSeqno - (segments[index]?.nextSeqno ?? 0));
  return {
    segments,
    lastSeqno,
    lastUtime,
    lagSeconds,
    missing: gaps.reduce((sum, gap) => sum + gap, 0),
    pendingTraces: Number(row?.pending ?? 0),
    unclassifiedTraces: Number(row?.unclassified ?? 0),
  };
}
