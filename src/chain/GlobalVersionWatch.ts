import type { Clock } from "../lib/clock.ts";
import { runWithin } from "../lib/deadline.ts";
import type { Log } from "../lib/log.ts";
import type { LitePool } from "../lite/pool/LitePool.ts";
import { fetchConfigParams } from "../lite/queries/config.ts";
import type { LiteServer } from "../lite/server/LiteServer.ts";
import { findVersionGap, type VersionGap } from "../tvm/globalVersion.ts";

export interface GlobalVersionWatchModules {
  readonly clock: Clock;
  readonly log: Log;
  readonly pool: LiteServer & Pick<LitePool, "waitHead">;
}

const askMs = 10_000;
const againMs = 3_600_000;
const soonMs = 10_000;

/** Watches the global version of a network and logs a warning when it is newer than the engine supports. */
export class GlobalVersionWatch {
  readonly #modules: GlobalVersionWatchModules;
  #gap: VersionGap | undefined;

  constructor(modules: GlobalVersionWatchModules) {
    this.#modules = modules;
  }

  get gap(): VersionGap | undefined {
    return this.#gap;
  }

  /** Checks when there is a head, and then every hour; ends with the signal, and never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#modules;
    while (!signal.aborted) {
      const found = await this.#look(signal).catch(() => false);
      // Only the signal ends a sleep early.
      await clock.sleep(found ? againMs : soonMs, signal).catch(() => {});
    }
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { clock, pool, log } = this.#modules;
    const { block } = await pool.waitHead(-1, signal, { access: "private" });
    const { config } = await runWithin(
      clock,
      askMs,
      (deadline) => fetchConfigParams(pool, block, [8], { signal: deadline.signal, access: "private" }),
      signal,
    );
    const gap = findVersionGap(config);
    if (gap !== undefined && gap.network !== this.#gap?.network) {
      log.warn(
        "the network uses newer rules than this program: some get-methods and fees may differ; update this program",
        { ...gap },
      );
    }
    this.#gap = gap;
    return true;
  }
}

/** For display. */
export function formatGap({ supported, network }: VersionGap): string {
  return `the machine supports global version ${supported}, the network uses ${network}`;
}
