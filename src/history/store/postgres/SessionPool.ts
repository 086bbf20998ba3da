import { WaitQueue } from "../../../lib/WaitQueue.ts";
import { HistoryError } from "../../errors.ts";
import type { PostgresSession } from "./PostgresSession.ts";

/** A fixed number of sessions, each used by one caller at a time; further callers wait in a queue. */
export class SessionPool {
  readonly #sessions: readonly PostgresSession[];
  readonly #idle: PostgresSession[];
  readonly #line = new WaitQueue<PostgresSession>();
  #isClosed = false;

  constructor(sessions: readonly PostgresSession[]) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
  }

  async use<T>(work: (session: PostgresSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isClosed) throw closed();
    const session = this.#idle.pop() ?? (await this.#line.wait(signal));
    try {
      return await work(session);
    } finally {
      if (!this.#line.admit(session)) this.#idle.push(session);
    }
  }

  /** Lets running sessions finish, and rejects waiting callers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#line.refuseAll(closed());
    await Promise.all(this.#sessions.map((session) => session.close()));
  }
}

function closed(): Error {
  return new HistoryError("history/database", "the database is closed");
}
