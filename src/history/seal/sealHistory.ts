import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../store/Database.ts";
import { destroyAfterStop } from "../store/engine/postgres/destroyAfterStop.ts";
import { canSeal } from "../store/schema/partitionWeight.ts";
import { listSealable } from "./listSealable.ts";
import { tableOf } from "./Partition.ts";
import { sealPartition } from "./sealPartition.ts";

/** How often finished partitions are looked for: one is finished after an hour or days. */
const lookEveryMs = 600_000;
/** After sealed a partition, others have the disk for as long as it took, and so long at most. */
const maxRestMs = 60_000;

export interface SealParts {
  readonly clock: Clock;
  readonly log: Log;
  /** A name that no other process has. */
  readonly name: string;
  /** Whether this process is the one that writes. */
  readonly isWriter: () => boolean;
  /** Opens sessions of its own, because copies take long. */
  readonly open: (signal: AbortSignal) => Promise<Database>;
  /** How long history is kept; partitions that are removed one by one must not become too wide. */
  readonly keptSeconds?: number | undefined;
}

/** Seals finished partitions in the background; returns a function that stops it. */
export function sealHistory(parts: SealParts): () => Promise<void> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await parts.clock.sleep(lookEveryMs, stop.signal).catch(() => {});
      if (!stop.signal.aborted && parts.isWriter()) await sealRound(parts, stop.signal);
    }
  };
  const looking = look();
  return async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await looking;
  };
}

/** Seals what is finished. */
async function sealRound(parts: SealParts, signal: AbortSignal): Promise<void> {
  try {
    const database = await parts.open(signal);
    const cancel = destroyAfterStop(database, parts.clock, signal);
    try {
      if (canSeal(database)) await sealAll(database, parts, signal);
    } finally {
      await database.close().finally(cancel);
    }
  } catch (error) {
    // The database may be away or full; the next look finds the same partitions.
    if (!signal.aborted) parts.log.warn("finished partitions could not be sealed; retrying", { error });
  }
}

async function sealAll(
  database: Database,
  { clock, log, name, keptSeconds }: SealParts,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  for (const partition of await listSealable(database, { keptSeconds })) {
    if (await hasOldSnapshot(database)) return;
    const startedAt = clock.now();
    const isSealed = await sealPartition({ database, clock, signal }, partition, { attempt: `${name} ${count++}` });
    log.info(isSealed ? "sealed a partition" : "a partition could not be sealed; retrying", {
      table: tableOf(partition),
      merged: partition.sources.length,
    });
    await clock.sleep(Math.min(maxRestMs, clock.now() - startedAt), signal);
  }
}

/** A long transaction, such as an export, would make the copy wait: it begins after that. */
async function hasOldSnapshot(database: Pick<Database, "query">): Promise<boolean> {
  const rows = await database.query(
    `select 1 as one from pg_stat_activity
     where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()
       and xact_start < clock_timestamp() - interval '30 seconds'`,
  );
  return rows.length > 0;
}
