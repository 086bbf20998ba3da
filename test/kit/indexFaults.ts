import { HistoryError } from "../../src/history/errors.ts";
import type { Database } from "../../src/history/store/Database.ts";
import type { Random } from "../../src/lib/random.ts";
import { LiteError } from "../../src/lite/errors.ts";
import type { LiteServer } from "../../src/lite/LiteServer.ts";

export interface Faults {
  readonly random: Random;
  /** How often, from 0 to 1. */
  readonly rate: number;
}

/** Something that fails now and then, and how often it did. */
export interface Faulty<T> {
  readonly part: T;
  readonly failures: { count: number };
}

/** A server that now and then gives no answer. */
export function faultyServer(server: LiteServer, { random, rate }: Faults): Faulty<LiteServer> {
  const failures = { count: 0 };
  const part: LiteServer = {
    ask: async (question, options) => {
      if (random.next() < rate) {
        failures.count++;
        throw new LiteError("lite/lost", "the connection ended");
      }
      return server.ask(question, options);
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
  return { part, failures };
}

/** A database that now and then fails: before a statement, within a transaction, or after the commit, unheard. */
export function faultyDatabase(database: Database, { random, rate }: Faults): Faulty<Database> {
  const failures = { count: 0 };
  const mayFail = (): void => {
    if (random.next() >= rate) return;
    failures.count++;
    throw new HistoryError("history/database", "the session ended");
  };
  const part: Database = {
    kind: database.kind,
    query: async (...args) => {
      mayFail();
      return database.query(...args);
    },
    read: (work, options) => database.read(work, options),
    write: async (work) => {
      mayFail();
      const done = await database.write(async (session) => {
        const outcome = await work(session);
        mayFail();
        return outcome;
      });
      mayFail();
      return done;
    },
    runAlone: (sql) => database.runAlone(sql),
    lockWriter: (signal) => database.lockWriter(signal),
    close: () => database.close(),
  };
  return { part, failures };
}
