import { onAbort } from "../../../lib/abort.ts";
import { HistoryError } from "../../errors.ts";
import type { PostgresSession } from "./PostgresSession.ts";

/** Who uses a session, and until when the caller waits for one. */
export interface SessionUse {
  readonly signal?: AbortSignal | undefined;
  /** Absent for the service's own work, which has no limit. */
  readonly caller?: string | undefined;
}

interface Waiter<S> {
  readonly caller: string | undefined;
  readonly admit: (session: S) => void;
  readonly refuse: (reason: Error) => void;
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
  readonly #waiters = new Set<Waiter<S>>();
  #isClosed = false;

  constructor(sessions: readonly S[]) {
    this.#sessions = sessions;
    this.#idle = [...sessions];
    this.#mostPerCaller = Math.ceil(sessions.length / 2);
  }

  async use<T>(work: (session: S) => Promise<T>, { caller, signal }: SessionUse = {}): Promise<T> {
    if (this.#isClosed) throw closed();
    const idle = this.#mayHold(caller) ? this.#idle.pop() : undefined;
    if (idle !== undefined) this.#count(caller, 1);
    const session = idle ?? (await this.#wait(caller, signal));
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
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.refuse(closed());
    await Promise.all(this.#sessions.map((session) => session.close()));
  }

  #wait(caller: string | undefined, signal: AbortSignal | undefined): Promise<S> {
    return new Promise((resolve, reject) => {
      let stopListening = () => {};
      const leave = () => {
        this.#waiters.delete(waiter);
        stopListening();
      };
      const waiter: Waiter<S> = {
        caller,
        admit: (session) => {
          leave();
          resolve(session);
        },
        refuse: (reason) => {
          leave();
          reject(reason);
        },
      };
      this.#waiters.add(waiter);
      stopListening = onAbort(signal, waiter.refuse);
    });
  }

  #admitNext(): void {
    let next: Waiter<S> | undefined;
    for (const waiter of this.#waiters) {
      if (this.#mayHold(waiter.caller) && (next === undefined || this.#holds(waiter.caller) < this.#holds(next.caller)))
        next = waiter;
    }
    const session = next && this.#idle.pop();
    if (next === undefined || session === undefined) return;
    this.#count(next.caller, 1);
    next.admit(session);
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

function closed(): Error {
  return new HistoryError("history/database", "the database is closed");
}
