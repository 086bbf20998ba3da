import { gateTable } from "../../schema/gateTable.ts";
import type { PostgresSession } from "./PostgresSession.ts";

type Session = Pick<PostgresSession, "transact">;

/**
 * Lets transactions of a cluster begin their snapshots while no commit is running: the machines of a cluster commit
 * one after another, and each has its own snapshot. Callers that come together pass together.
 */
export class SnapshotGate {
  readonly #session: Session;
  /** Those that wait for the lock, which is not asked for yet. */
  #next: Pass | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs the work, which begins the snapshots, while the gate is open. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const pass = this.#join();
    try {
      await pass.opened;
      return await work();
    } finally {
      pass.leave();
    }
  }

  #join(): Pass {
    const joined = this.#next ?? this.#plan();
    joined.enter();
    return joined;
  }

  /** The next lock is asked for when the one before is released, so that commits come between. */
  #plan(): Pass {
    const pass = new Pass();
    this.#next = pass;
    this.#running = this.#running.then(() => this.#run(pass));
    return pass;
  }

  async #run(pass: Pass): Promise<void> {
    try {
      await this.#session.transact("begin", async (session) => {
        await session.run(`lock table ${gateTable} in share mode`);
        this.#next = undefined;
        pass.open();
        await pass.left;
      });
    } catch (error) {
      this.#next = undefined;
      pass.fail(error);
    }
  }
}

/** One passage of the gate by those that came together. */
class Pass {
  #count = 0;
  #leave = () => {};
  open = () => {};
  fail: (error: unknown) => void = () => {};
  readonly opened = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
  /** Resolves when all of them have left. */
  readonly left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#leave();
  }
}
