import { availableParallelism } from "node:os";
import type { NamedBlock } from "../../chain/blocks.ts";
import type { Chain } from "../../chain/Chain.ts";
import { openReplayedBlock } from "../../chain/replay/replay.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { runThread } from "../service/parts/runThread.ts";
import { type ReplayedAccount, replayShare, type Share } from "./replayShare.ts";

/** What a thread that replays begins with. */
export interface ReplayThreadStart {
  readonly config: AppConfig;
  readonly block: NamedBlock;
  readonly share: Share;
}

const program = new URL("./replayThread.js", import.meta.url);

/**
 * How many accounts a block must have for each thread: a thread loads the program and proves a head of its own, which
 * takes 0.45 s of CPU, as long as about 300 accounts; with two shares, half of the accounts must take longer than that.
 */
const accountsOfThread = 600;

/** A thread for every core but the one of this thread, as far as there is enough for each. */
export function threadsFor(accounts: number, cores: number = availableParallelism()): number {
  return Math.min(cores - 1, Math.floor(accounts / accountsOfThread));
}

/** Replays a block: a share in this thread, and the others in threads of their own. The accounts are in their order. */
export async function replayShares(
  chain: Chain,
  { config, block }: Pick<ReplayThreadStart, "config" | "block">,
  wantedThreads: number | undefined,
): Promise<readonly ReplayedAccount[]> {
  const opened = await openReplayedBlock(chain, block);
  const of = 1 + (wantedThreads ?? threadsFor(opened.accounts.length));
  const stop = new AbortController();
  const threads = Array.from({ length: of - 1 }, (_, i) =>
    replayInThread({ config, block, share: { index: i + 1, of } }, stop.signal),
  );
  try {
    const shares = await Promise.all([replayShare(chain, opened, { index: 0, of }), ...threads]);
    return shares.flat().sort((a, b) => a.place - b.place);
  } finally {
    // After a failure the threads still at work have no one to report to.
    stop.abort();
    await Promise.allSettled(threads);
  }
}

function replayInThread(start: ReplayThreadStart, signal: AbortSignal): Promise<readonly ReplayedAccount[]> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) =>
      reject(new AppError("app/problems", `a thread of the replay ${why}`, { cause }));
    const listener = {
      onMessage: resolve,
      onError: (cause: Error) => fail(`failed: ${cause.message}`, cause),
    };
    void runThread<readonly ReplayedAccount[]>(program, start, listener, signal).then(() => fail("ended"));
  });
}
