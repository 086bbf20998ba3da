import type { PendingTrace } from "../../chain/pending/PendingTrace.ts";
import type { PendingTraces } from "../../chain/pending/PendingTraces.ts";
import type { EventLog } from "../../history/events/EventLog.ts";
import type { History } from "../../history/queries/kit/History.ts";
import type { Log } from "../../lib/log.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { viewPartlyIndexed } from "../v3/pending/pendingMix.ts";
import { compareWithIndex } from "../v3/pending/pendingViews.ts";
import { mixedTrace, writeMessage } from "./pendingStream.ts";

export interface PendingFollowerModules {
  readonly events: Pick<EventLog, "onExtent" | "publish">;
  readonly history: History;
  readonly pending: Pick<PendingTraces, "list" | "reconsider" | "find" | "listOf" | "drop" | "resume">;
  /** The time of a block and the accounts that it changed. */
  readonly readBlock: (mcSeqno: number) => Promise<FollowedBlock>;
  readonly log: Log;
}

export interface FollowedBlock {
  readonly utime: number;
  readonly accounts: ReadonlySet<Address>;
}

/** After this time of the chain a prediction is run again: messages expire, which only their accounts know. */
const freshSeconds = 30;

/** Number of blocks that are examined one by one; after a longer pause predictions are only compared with the index. */
const maxBlocks = 64;

/**
 * Compares the predictions of this process with every block that the index commits: traces that the chain has started
 * are published again, finished ones are dropped, and messages to changed accounts are run again, like those that the
 * chain has not taken for a while.
 */
export class PendingFollower {
  readonly #modules: PendingFollowerModules;
  readonly #stop: () => void;
  /** Number of published committed transactions of each open trace. */
  readonly #done = new Map<Hash, number>();
  #seen: number | undefined;
  #last = 0;
  #working: Promise<void> | undefined;

  constructor(modules: PendingFollowerModules) {
    this.#modules = modules;
    this.#stop = modules.events.onExtent(({ last }) => {
      this.#last = last;
      this.#seen ??= last - 1;
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined;
      });
    });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { log } = this.#modules;
    while ((this.#seen ?? this.#last) < this.#last) {
      const from = Math.max((this.#seen ?? 0) + 1, this.#last - maxBlocks);
      const to = this.#last;
      this.#seen = to;
      try {
        await this.#follow(from, to);
      } catch (error) {
        log.debug("predictions could not be compared with the index", { error });
      }
    }
  }

  async #follow(from: number, to: number): Promise<void> {
    const { pending, readBlock } = this.#modules;
    if (pending.list().length === 0) {
      this.#done.clear();
      return;
    }
    const untouched = await this.#publishBegun();
    const changed = new Set<Address>();
    let now = 0;
    for (let seqno = from; seqno <= to; seqno++) {
      const { utime, accounts } = await readBlock(seqno);
      for (const each of accounts) changed.add(each);
      now = utime;
    }
    for (const { trace } of untouched) {
      const [first] = trace.transactions;
      if (first !== undefined && now - first.now >= freshSeconds) changed.add(first.account);
    }
    pending.reconsider(changed, to);
  }

  /** Publishes what the chain has begun; returns what it has not touched. */
  async #publishBegun(): Promise<readonly PendingTrace[]> {
    const { pending, history, events } = this.#modules;
    const { untouched, views } = await history.read({}, async (reading) => {
      const standings = await compareWithIndex(reading, pending, pending.list());
      // Other processes publish what they sent.
      const begun = standings.begun.filter(({ pending: { sentBy } }) => sentBy === "this");
      const pendingViews = await viewPartlyIndexed(reading, pending, begun, "all");
      const shown = begun.flatMap(({ pending: each }, at) => {
        const view = pendingViews[at];
        return view === undefined ? [] : [{ each, view }];
      });
      return { untouched: standings.untouched, views: shown };
    });
    for (const hash of this.#done.keys()) if (pending.find(hash) === undefined) this.#done.delete(hash);
    for (const { each, view } of views) {
      const done = view.transactions?.filter(({ context }) => !context.emulated).length ?? 0;
      const { normalizedHash } = each.sent;
      if (this.#done.get(normalizedHash) === done) continue;
      this.#done.set(normalizedHash, done);
      const trace = mixedTrace(each, view);
      if (trace !== undefined) events.publish(writeMessage({ kind: "predicted", trace }));
    }
    return untouched;
  }
}
