import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Database } from "../store/Database.ts";

export interface ChangeWatchModules {
  readonly database: Pick<Database, "read"> & {
    /** Reports a check of the tables, and whether they changed since the last one. */
    noteLook(isChanged: boolean): void;
  };
  readonly clock: Clock;
}

/** How often the tables are looked at; a notification causes a look at once. */
const lookEveryMs = 250;

/** How far the log of changes is written, or read by a replica: any change of any table moves it. */
const position =
  "select case when pg_is_in_recovery() then 'replica ' || pg_last_wal_replay_lsn() else 'primary ' || pg_current_wal_insert_lsn() end as place";

/** Notices that other processes change the tables, so that a process that does not write them can cache answers. */
export class ChangeWatch {
  readonly #modules: ChangeWatchModules;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #last: string | undefined;
  #wake: () => void = () => {};

  constructor(modules: ChangeWatchModules) {
    this.#modules = modules;
    this.#running = this.#run();
  }

  /** Checks at once, because another process reported a change. */
  look(): void {
    // Answers made before the check ends may be outdated.
    this.#modules.database.noteLook(true);
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "the change watch is closed"));
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, clock } = this.#modules;
    while (!this.#closing.signal.aborted) {
      try {
        const [row] = await database.read((session) => session.query(position));
        const place = String(row?.place);
        database.noteLook(place !== this.#last);
        this.#last = place;
      } catch {
        // The condition of an unreachable database is reported elsewhere; nothing is cached in the meantime.
        this.#last = undefined;
      }
      if (this.#closing.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const cancelTimer = clock.timer(lookEveryMs, resolve);
        this.#wake = () => {
          cancelTimer();
          resolve();
        };
      });
    }
  }
}
