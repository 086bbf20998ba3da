import { onAbort } from "../../../lib/abort.ts";
import { HistoryError } from "../../errors.ts";
import type { PostgresSession } from "./PostgresSession.ts";

interface Waiter {
  readonly admit: (session: PostgresSession) => void;
  readonly refuse: (reason: Error) => void;
}

/** A fixed number of sessions, each in the hands of one at a time; whoever comes when all are taken waits in line. */
export class SessionPool {
  readonly #sessions: readonly PostgresSession[];
  readonly #idle: PostgresSession[];
  readonly #line = new Set<Waiter>();
  #isClosed = false;

  constructor(sessions: readonly PostgresSession[]) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
  }

  async use<T>(work: (session: PostgresSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isClosed) throw closed();
    const session = this.#idle.pop() ?? (await this.#wait(signal));
    try {
      return await work(session);
    } finally {
      const [next] = this.#line;
      if (next === undefined) this.#idle.push(session);
      else next.admit(session);
    }
  }

  /** Lets those who have a session end, and refuses those who wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of [...this.#line]) waiter.refuse(closed());
    await Promise.all(this.#sessions.map((session) => session.close()));
  }

  #wait(signal: AbortSignal | undefined): Promise<PostgresSession> {
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = (how: () => void) => {
        this.#line.delete(waiter);
        stopListening();
        how();
      };
      const waiter: Waiter = {
        admit: (session) => leave(() => resolve(session)),
        refuse: (reason) => leave(() => reject(reason)),
      };
      this.#line.add(waiter);
      stopListening = onAbort(signal, waiter.refuse);
    });
  }
}

function closed(): Error {
  return new HistoryError("history/database", "the database is closed");
}
