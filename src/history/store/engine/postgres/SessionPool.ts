import { Lifetime } from "../../../../lib/Lifetime.ts";
import { Slots } from "../../../../lib/sharing/Slots.ts";
import { HistoryError } from "../../../errors.ts";
import type { PostgresSession } from "./PostgresSession.ts";

/** Who uses a session, and until when the caller waits for one. */
export interface SessionUse {
  readonly signal?: AbortSignal | undefined;
  /** Absent for the service's own work, which has no limit. */
  readonly caller?: string | undefined;
}

/**
 * A fixed number of sessions, each used by one caller at a time. A caller holds at most half of them, so that the slow
 * statements of one do not stop the others; of those that wait, the one that holds the fewest is next.
 */
export class SessionPool<S extends Pick<PostgresSession, "close" | "destroy"> = PostgresSession> {
  readonly #sessions: readonly S[];
  readonly #idle: S[];
  readonly #slots: Slots;
  readonly #lifetime = new Lifetime((reason) => reason);

  constructor(sessions: readonly S[]) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
    this.#slots = new Slots({ total: sessions.length, perKey: Math.ceil(sessions.length / 2) });
  }

  async use<T>(work: (session: S) => Promise<T>, { caller, signal }: SessionUse = {}): Promise<T> {
    this.#lifetime.throwIfEnded();
    return this.#slots.run(() => this.#useIdle(work), { key: caller, signal });
  }

  /** Lets running sessions finish, and rejects waiting callers. */
  async close(): Promise<void> {
    const reason = new HistoryError("history/database", "the database is closed");
    void this.#lifetime.close(reason);
    this.#slots.refuseWaiting(reason);
    await Promise.all(this.#sessions.map((session) => session.close()));
  }

  /** Ends running sessions, too. */
  destroy(reason: Error): void {
    void this.#lifetime.close(reason);
    this.#slots.refuseWaiting(reason);
    for (const session of this.#sessions) session.destroy(reason);
  }

  /** There is an idle session for each free slot. */
  async #useIdle<T>(work: (session: S) => Promise<T>): Promise<T> {
    const session = this.#idle.pop() as S;
    try {
      return await work(session);
    } finally {
      this.#idle.push(session);
    }
  }
}
