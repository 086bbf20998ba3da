import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";

/** Knows the newest proved masterchain block. */
export interface Heads {
  /** The newest block, as soon as its seqno is at least this one; rejects with the reason of the signal. */
  reach(seqno: number, signal: AbortSignal): Promise<BlockIdExt>;
}

/** A network that reports its heads as they come. */
export interface HeadSource {
  heads(signal: AbortSignal): AsyncIterable<{ readonly block: BlockIdExt }>;
}

interface Waiter {
  readonly seqno: number;
  notify(block: BlockIdExt): void;
}

/** How long to wait before a network that failed to report heads is tried again. */
const againMs = 500;

/** The heads of a network for block readers, until the signal aborts. */
export function followHeads({ heads }: HeadSource, clock: Clock, signal: AbortSignal): Heads {
  const waiters = new Set<Waiter>();
  let newest: BlockIdExt | undefined;
  const follow = async (): Promise<void> => {
    for await (const { block } of heads(signal)) {
      newest = block;
      for (const waiter of waiters) if (block.seqno >= waiter.seqno) waiter.notify(block);
    }
  };
  const keepFollowing = async (): Promise<void> => {
    while (!signal.aborted) {
      // A network without a head may get one later; each waiter has its own signal.
      await follow().catch(() => {});
      await clock.sleep(againMs, signal).catch(() => {});
    }
  };
  void keepFollowing();
  return {
    reach: (seqno, own) =>
      new Promise((resolve, reject) => {
        if (newest !== undefined && newest.seqno >= seqno) {
          resolve(newest);
          return;
        }
        let stopListening = () => {};
        const waiter: Waiter = {
          seqno,
          notify: (block) => {
            waiters.delete(waiter);
            stopListening();
            resolve(block);
          },
        };
        waiters.add(waiter);
        stopListening = onAbort(own, (reason) => {
          waiters.delete(waiter);
          reject(reason);
        });
      }),
  };
}
