import type { Chain } from "../../chain/Chain.ts";
import { type ReplayedBlock, replayAccount } from "../../chain/replay/replay.ts";
import { inParallel } from "../../lib/sharing/inParallel.ts";
import { formatReplay } from "./formatReplay.ts";

/** Every `of`th account of a block, beginning with the one at `index`. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/** The transactions of one account of a block: how many there are, and those that are different as text. */
export interface ReplayedAccount {
  readonly place: number;
  readonly count: number;
  readonly different: readonly string[];
}

/** Accounts replayed at once: while one waits for its state, others run. */
const accountsAtOnce = 16;

/** Replays a share of the accounts of a block. */
export function replayShare(
  chain: Chain,
  block: ReplayedBlock,
  { index, of }: Share,
): Promise<readonly ReplayedAccount[]> {
  const places = [...block.accounts.keys()].filter((place) => place % of === index);
  return inParallel(places, accountsAtOnce, async (place) => {
    const different: string[] = [];
    let count = 0;
    for await (const replay of replayAccount(chain, block, place)) {
      count += 1;
      if (!replay.isEqual) different.push(formatReplay(replay));
    }
    return { place, count, different };
  });
}
