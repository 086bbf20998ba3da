import type { Clock } from "../../../../lib/clock.ts";
import { isCoded, LibError, type RoomCode } from "../../../../lib/errors.ts";
import type { Log } from "../../../../lib/log.ts";
import type { Database, ReadOptions, SqlSession } from "../../Database.ts";
import { hasState } from "../../databaseErrors.ts";
import { findIndexedHead, type IndexedHead } from "../../schema/indexedHead.ts";

export interface ReplicaModules {
  readonly clock: Clock;
  readonly log: Log;
}

/** A replica whose newest block is older than that of the primary by more than this answers nobody. */
const maxLagSeconds = 5;
const lookEveryMs = 500;
const lookWithinMs = 5_000;

/** Which server answers, and why. */
type Route = { readonly kind: "replica" } | { readonly kind: "primary"; readonly reason: string };

/**
 * A database with a replica: requests are answered by the replica while it follows closely, everything else, and what
 * it cannot answer, by the primary.
 */
export function withReplica(primary: Database, replica: Database, modules: ReplicaModules): Database {
  const watch = new LagWatch(primary, replica, modules);
  return {
    kind: primary.kind,
    layout: primary.layout,
    isPooled: primary.isPooled === true,
    hasReplica: true,
    schema: primary.schema,
    query: (sql, params, options) => primary.query(sql, params, options),
    read: (work, options) => readFromEither(primary, replica, watch, work, options),
    write: (work) => primary.write(work),
    runAlone: (sql) => primary.runAlone(sql),
    lockWriter: (signal, onHeld) => primary.lockWriter(signal, onHeld),
    listen: async (channel, onNotify, signal) => primary.listen?.(channel, onNotify, signal),
    close: async () => {
      await watch.close();
      await Promise.all([primary.close(), replica.close()]);
    },
    destroy: (reason) => {
      primary.destroy?.(reason);
      replica.destroy?.(reason);
    },
  };
}

async function readFromEither<T>(
  primary: Database,
  replica: Database,
  watch: LagWatch,
  work: (session: SqlSession) => Promise<T>,
  options?: ReadOptions,
): Promise<T> {
  if (watch.route.kind === "primary") return primary.read(work, options);
  try {
    return await replica.read(work, options);
  } catch (error) {
    // A replica ends statements that stand in the way of what it must replay.
    const isEnded = hasState(error, /^40001$/);
    const isElsewhere = isCoded(error) && faultsOfReplica.has(error.code);
    if (!isEnded && !isElsewhere) throw error;
    return primary.read(work, options);
  }
}

/** What may be wrong with the replica alone: the primary is asked. */
const faultsOfReplica: ReadonlySet<string> = new Set<RoomCode<"history">>([
  "history/behind",
  "history/database",
  "history/damaged",
  "history/denied",
  "history/tables",
]);

/** Compares the newest blocks of both servers from time to time. */
class LagWatch {
  readonly #primary: Database;
  readonly #replica: Database;
  readonly #modules: ReplicaModules;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #route: Route = { kind: "primary", reason: "the replica was not checked yet" };

  constructor(primary: Database, replica: Database, modules: ReplicaModules) {
    this.#primary = primary;
    this.#replica = replica;
    this.#modules = modules;
    this.#running = this.#run();
  }

  get route(): Route {
    return this.#route;
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "the database is closed"));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock } = this.#modules;
    while (!this.#closing.signal.aborted) {
      this.#take(await this.#look());
      await clock.sleep(lookEveryMs, this.#closing.signal).catch(() => {});
    }
  }

  async #look(): Promise<Route> {
    const [primary, replica] = await Promise.all([headOf(this.#primary), headOf(this.#replica)]);
    if (replica === undefined) return { kind: "primary", reason: "the replica does not answer" };
    // A replica is better than nothing.
    if (primary === undefined) return { kind: "replica" };
    // Times of blocks say at once how old the replica is, also when this process has only just begun.
    const lagSeconds = primary.seqno <= replica.seqno ? 0 : primary.utime - replica.utime;
    if (lagSeconds <= maxLagSeconds) return { kind: "replica" };
    return { kind: "primary", reason: "the replica lags behind" };
  }

  #take(route: Route): void {
    const before = this.#route;
    this.#route = route;
    if (before.kind === route.kind || this.#closing.signal.aborted) return;
    if (route.kind === "replica") this.#modules.log.info("the replica answers requests");
    else this.#modules.log.warn("the primary answers requests", { reason: route.reason });
  }
}

/** The newest block; `undefined` when the server does not answer. */
async function headOf(database: Database): Promise<IndexedHead | undefined> {
  try {
    return (await findIndexedHead(database, { timeoutMs: lookWithinMs })) ?? { seqno: -1, utime: 0 };
  } catch {
    return undefined;
  }
}
