import { Lifetime } from "../../../lib/Lifetime.ts";
import { WaitQueue } from "../../../lib/WaitQueue.ts";
import { HistoryError } from "../../errors.ts";
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
export class SessionPool<S extends Pick<PostgresSession, "close"> = PostgresSession> {
  readonly #sessions: readonly S[];
  readonly #idle: S[];
  readonly #mostPerCaller: number;
  readonly #held = new Map<string, number>();
  readonly #waiters = new WaitQueue<S>();
  readonly #lifetime = new Lifetime((reason) => reason);

  constructor(sessions: readonly S[]) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
    this.#mostPerCaller = Math.ceil(sessions.length / 2);
  }

  async use<T>(work: (session: S) => Promise<T>, { caller, signal }: SessionUse = {}): Promise<T> {
    this.#lifetime.throwIfEnded();
    const idle = this.#mayHold(caller) ? this.#idle.pop() : undefined;
    if (idle !== undefined) this.#count(caller, 1);
    const session = idle ?? (await this.#waiters.wait(signal, caller));
    try {
      return await work(session);
    } finally {
      this.#count(caller, -1);
      this.#idle.push(session);
      this.#admitNext();
    }
  }

  /** Lets running sessions finish, and rejects waiting callers. */
  async close(): Promise<void> {
    const reason = new HistoryError("history/database", "the database is closed");
    void this.#lifetime.close(reason);
    this.#waiters.refuseAll(reason);
    await Promise.all(this.#sessions.map((session) => session.close()));
  }

  #admitNext(): void {
    const session = this.#idle.at(-1);
    if (session === undefined) return;
    const rank = (caller?: string) => (this.#mayHold(caller) ? this.#holds(caller) : undefined);
    const admitted = this.#waiters.admitLowest(session, rank);
    if (admitted === undefined) return;
    this.#idle.pop();
    this.#count(admitted.caller, 1);
  }

  #mayHold(caller: string | undefined): boolean {
    return this.#holds(caller) < this.#mostPerCaller;
  }

  #holds(caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#held.get(caller) ?? 0);
  }

  #count(caller: string | undefined, change: number): void {
    if (caller === undefined) return;
    const held = this.#holds(caller) + change;
    if (held === 0) this.#held.delete(caller);
    else this.#held.set(caller, held);
  }
}
