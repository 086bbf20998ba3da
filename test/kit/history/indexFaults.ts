import { HistoryError } from "../../../src/history/errors.ts";
import type { Database, SqlSession } from "../../../src/history/store/Database.ts";
import { orAborted } from "../../../src/lib/abort.ts";
import { type CancelTimer, type Clock, sleepBy, systemClock } from "../../../src/lib/clock.ts";
import type { Random } from "../../../src/lib/random.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { deferred } from "../suite/deferred.ts";

/** The faults that can hit each operation of an indexer; its process and its lock can fail during any of them. */
const faults = {
  liteQuery: ["refused", "slow", "lost", "short", "wrong", "missing"],
  query: ["statement", "connection", "full"],
  statement: ["statement", "connection", "full"],
  commit: ["connection", "unheard", "late"],
} as const;

export type Operation = keyof typeof faults;
export type Fault = (typeof faults)[Operation][number] | "abort" | "unlock";

/** Decides before each operation whether and how it fails. */
export type Trouble = (operation: Operation) => Fault | undefined;

/** The faults of an operation itself. */
export function listFaults(operation: Operation): readonly Fault[] {
  return faults[operation];
}

/** At most `max` random faults, which include a stop of the process and a loss of its lock. */
export function randomTrouble(random: Random, { rate, max }: { readonly rate: number; readonly max: number }) {
  const met: Fault[] = [];
  const trouble: Trouble = (operation) => {
    if (met.length >= max || random.next() >= rate) return undefined;
    const possible: readonly Fault[] = [...faults[operation], "abort", "unlock"];
    const fault = possible[random.int(possible.length)];
    if (fault !== undefined) met.push(fault);
    return fault;
  };
  return { trouble, met };
}

/** A clock without pauses between retries; deadlines expire only on request. */
export class HastyClock implements Clock {
  readonly #deadlines = new Set<() => void>();

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  timer(delayMs: number, fire: () => void): CancelTimer {
    if (delayMs < 1000) return systemClock.timer(0, fire);
    this.#deadlines.add(fire);
    return () => this.#deadlines.delete(fire);
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepBy((delay, fire) => this.timer(delay, fire), delayMs, signal);
  }

  /** Makes every pending deadline expire. */
  expire(): void {
    const due = [...this.#deadlines];
    this.#deadlines.clear();
    for (const fire of due) fire();
  }
}

/** Effects of faults outside the faulty part. */
export interface Surroundings {
  readonly clock?: Pick<HastyClock, "expire">;
  /** Stops the process. */
  readonly abort?: () => void;
  /** Ends the session that holds the writer's lock. */
  readonly unlock?: () => Promise<void>;
  /** Number of queries answered before a late commit takes effect; defaults to zero. */
  readonly lateBy?: number;
}

async function surround(fault: Fault | undefined, { abort, unlock }: Surroundings): Promise<void> {
  if (fault === "abort") abort?.();
  if (fault === "unlock") await unlock?.();
}

/** A lite server that fails as `trouble` decides. */
export function faultyServer(server: LiteServer, trouble: Trouble, around: Surroundings = {}): LiteServer {
  const answer = async (fault: Fault | undefined, ask: () => Promise<Uint8Array>, signal: AbortSignal) => {
    if (fault === "refused") throw new LiteError("lite/refused", "nobody listens");
    if (fault === "lost") throw new LiteError("lite/lost", "the connection ended");
    if (fault === "missing") return encode(serverError.boxed, { code: 651, message: "block is not applied" });
    if (fault === "slow") {
      setImmediate(() => around.clock?.expire());
      return orAborted(new Promise<never>(() => {}), signal);
    }
    const right = await ask();
    if (fault === "short") return right.slice(0, right.length >> 1);
    return fault === "wrong" ? right.map((byte, at) => (at === right.length >> 1 ? byte ^ 1 : byte)) : right;
  };
  return {
    ask: async (bytes, options) => {
      const fault = trouble("liteQuery");
      await surround(fault, around);
      return answer(fault, () => server.ask(bytes, options), options.signal);
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}

const noRoom = "do $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$";

/** Makes the engine itself fail, so that the session is left in its real state. */
async function failFor(
  fault: Fault | undefined,
  kind: Database["kind"],
  run: (sql: string) => Promise<unknown>,
): Promise<void> {
  // The embedded engine has no connection to lose.
  if (fault === "connection" && kind === "embedded") throw new HistoryError("history/database", "the session ended");
  if (fault === "statement") await run("select 1 / 0");
  if (fault === "connection") await run("select pg_terminate_backend(pg_backend_pid())");
  if (fault === "full") await run(noRoom);
}

/** A commit that takes effect after the writer got an error. */
interface LateCommit {
  readonly finish: () => Promise<void>;
  /** Number of queries answered before it takes effect. */
  queries: number;
}

/** A faulty database, with control over its late commits. */
export interface FaultyDatabase {
  readonly part: Database;
  /** Resolves when no late commit is pending. */
  waitUntilIdle(): Promise<void>;
  /** How often the writer lock was released during a write. */
  writtenUnlocked(): number;
}

/** Fails in a query, in a statement of a transaction, in a commit or after it. */
export function faultyDatabase(database: Database, trouble: Trouble, around: Surroundings = {}): FaultyDatabase {
  const late = new Set<LateCommit>();
  let writing = 0;
  let writtenUnlocked = 0;
  let asked = 0;
  const waitUntilIdle = async (): Promise<void> => {
    for (const { finish } of [...late]) await finish();
  };
  const meet = async (operation: Operation, run: (sql: string) => Promise<unknown>): Promise<Fault | undefined> => {
    const fault = trouble(operation);
    await surround(fault, around);
    await failFor(fault, database.kind, run);
    return fault;
  };
  const query: Database["query"] = async (...args) => {
    asked++;
    try {
      for (const commit of [...late]) if (commit.queries-- <= 0) await commit.finish();
      await meet("query", (sql) => database.query(sql));
      return await database.query(...args);
    } finally {
      asked--;
    }
  };
  const write: Database["write"] = async (work) => {
    await waitUntilIdle();
    let fault: Fault | undefined;
    const reported = deferred();
    const held = deferred();
    const done = database.write(async (session) => {
      const outcome = await work(faultySession(session, meet));
      fault = await meet("commit", (sql) => session.run(sql));
      reported.resolve();
      if (fault === "late") await held.promise;
      return outcome;
    });
    await Promise.race([reported.promise, done]);
    if (fault === "late") {
      const finish = async (): Promise<void> => {
        held.resolve();
        await done.catch(() => {});
        late.delete(commit);
      };
      const commit: LateCommit = { finish, queries: around.lateBy ?? 0 };
      late.add(commit);
      // A write that waits for the session of this commit, or a query with a single session, comes before any new
      // query.
      if (writing > 1 || (database.kind === "embedded" && asked > 0)) setImmediate(() => void finish());
      throw new HistoryError("history/database", "the connection ended before the commit was answered");
    }
    const outcome = await done;
    if (fault === "unheard") throw new HistoryError("history/database", "the answer to a commit was not heard");
    return outcome;
  };
  const part: Database = {
    kind: database.kind,
    query,
    read: (work, options) => database.read(work, options),
    write: async (work) => {
      writing++;
      return write(work).finally(() => writing--);
    },
    runAlone: (sql) => database.runAlone(sql),
    lockWriter: async (signal) => {
      // The lock waits for the session of a pending commit, and nobody queries before the lock is held.
      setImmediate(() => void waitUntilIdle());
      const lock = await database.lockWriter(signal);
      const release = (): Promise<void> => {
        if (writing > 0) writtenUnlocked++;
        return lock.release();
      };
      return { lost: lock.lost, release };
    },
    close: () => database.close(),
  };
  return { part, waitUntilIdle, writtenUnlocked: () => writtenUnlocked };
}

function faultySession(
  session: SqlSession,
  meet: (operation: Operation, run: (sql: string) => Promise<unknown>) => Promise<unknown>,
): SqlSession {
  const run = (sql: string): Promise<void> => session.run(sql);
  return {
    query: async (...args) => {
      await meet("statement", run);
      return session.query(...args);
    },
    run: async (...args) => {
      await meet("statement", run);
      return session.run(...args);
    },
    copy: async (...args) => {
      await meet("statement", run);
      return session.copy(...args);
    },
    copyBinary: async (...args) => {
      await meet("statement", run);
      return session.copyBinary(...args);
    },
  };
}
