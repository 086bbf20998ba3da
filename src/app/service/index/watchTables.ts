import type { Indexer } from "../../../history/ingest/Indexer.ts";
import type { Scope } from "../../../history/scope/Scope.ts";
import { findScope } from "../../../history/scope/storedScope.ts";
import type { Database } from "../../../history/store/Database.ts";
import { findIndexedHead, type IndexedHead } from "../../../history/store/schema/indexedHead.ts";
import type { Clock } from "../../../lib/clock.ts";
import { LibError } from "../../../lib/errors.ts";
import type { Closers } from "../parts/Closers.ts";

const lookEveryMs = 1_000;

export interface WatchModules {
  readonly database: Pick<Database, "kind" | "query">;
  readonly clock: Clock;
  /** The writer of the tables in this process, if there is one. */
  readonly indexer: Pick<Indexer, "status"> | undefined;
}

export interface WatchedTables {
  readonly head: () => IndexedHead | undefined;
  readonly scope: () => Scope | undefined;
}

/** Reads from time to time what the tables contain. */
export function watchTables({ database, clock, indexer }: WatchModules, closers: Pick<Closers, "add">): WatchedTables {
  let head: IndexedHead | undefined;
  let scope: Scope | undefined;
  let isScopeKnown = false;
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const written = database.kind === "embedded" ? writtenHead(indexer) : undefined;
      // The condition of an unreachable database is reported elsewhere.
      head = written ?? (await findIndexedHead(database, { signal: stop.signal }).catch(() => head));
      // The scope of an index is decided before its first block.
      if (!isScopeKnown) {
        const isDecided = head !== undefined;
        scope = await findScope(database).then(
          (scope) => {
            isScopeKnown = isDecided;
            return scope;
          },
          () => scope,
        );
      }
      await clock.sleep(lookEveryMs, stop.signal).catch(() => {});
    }
  };
  const looking = look();
  closers.add("watch of tables", async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await looking;
  });
  return { head: () => head, scope: () => scope };
}

/**
 * The head that this process has written. The built-in database has no other writer, so nothing else needs to be read
 * while the indexer follows the chain.
 */
function writtenHead(indexer: WatchModules["indexer"]): IndexedHead | undefined {
  const { kind, lastSeqno, lastUtime } = indexer?.status() ?? {};
  if (kind !== "following" || lastSeqno === undefined || lastUtime === undefined) return undefined;
  return { seqno: lastSeqno, utime: lastUtime };
}
