import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { LitePool } from "../../lite/LitePool.ts";
import type { LiteServer } from "../../lite/LiteServer.ts";
import type { TrustedChain } from "../../lite/queries/TrustedChain.ts";
import type { BlockIdExt } from "../../model/BlockId.ts";

/** Who knows the newest masterchain block that is proved. */
export interface Heads {
  /** The newest block, as soon as its seqno is at least the one given; rejects with the signal's reason. */
  reach(seqno: number, signal: AbortSignal): Promise<BlockIdExt>;
}

/** The heads of a pool, which proves them itself. */
export function poolHeads(pool: Pick<LitePool, "waitHead">): Heads {
  return { reach: async (seqno, signal) => (await pool.waitHead(seqno - 1, signal)).block };
}

/** How long a server is asked to wait for a block, and how long until it is asked again. */
const waitMs = 8_000;
const againMs = 500;

/** The heads of one server, each proved by signatures. */
export function serverHeads(server: LiteServer, chain: TrustedChain, clock: Clock): Heads {
  let newest: BlockIdExt | undefined;
  const ask = async (seqno: number, signal: AbortSignal): Promise<void> => {
    const wait = newest === undefined ? {} : { wait: { seqno, timeoutMs: waitMs } };
    const { block } = await chain.head(server, { signal, ...wait });
    if (newest === undefined || block.seqno > newest.seqno) newest = block;
  };
  const reach = async (seqno: number, signal: AbortSignal): Promise<BlockIdExt> => {
    for (;;) {
      if (newest !== undefined && newest.seqno >= seqno) return newest;
      try {
        await ask(seqno, signal);
        if (newest !== undefined && newest.seqno >= seqno) return newest;
      } catch (error) {
        // The block did not come while the server waited for it, or the server has a bad moment: there is time.
        if (signal.aborted || !isCoded(error) || error.kind !== "remote" || error.code === "lite/proof") throw error;
      }
      await clock.sleep(againMs, signal);
    }
  };
  return { reach };
}
