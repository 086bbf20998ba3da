import { onAbort } from "../../../lib/abort.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Heads } from "./heads.ts";

/** A network that reports its heads as they come. */
export interface HeadSource {
  heads(signal: AbortSignal): AsyncIterable<{ readonly block: BlockIdExt }>;
}

interface Waiter {
  readonly seqno: number;
  tell(block: BlockIdExt): void;
}

/** How long until a network that could not tell its heads is asked again. */
const againMs = 500;

/** The heads of a network for whoever reads blocks, until the signal aborts. */
export function followHeads({ heads }: HeadSource, clock: Clock, signal: AbortSignal): Heads {
  const waiters = new Set<Waiter>();
  let newest: BlockIdExt | undefined;
  const follow = async (): Promise<void> => {
    for await (const { block } of heads(signal)) {
      newest = block;
      for (const waiter of waiters) if (block.seqno >= waiter.seqno) waiter.tell(block);
    }
  };
  const keepFollowing = async (): Promise<void> => {
    while (!signal.aborted) {
      // A network that has no head yet, or none any more, may have one later; whoever waits has a signal of their own.
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
          tell: (block) => {
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
