import { Backfiller } from "../../../../history/ingest/Backfiller.ts";
import type { SegmentStatus } from "../../../../history/ingest/IndexStatus.ts";
import { AccountQueries } from "../../../../history/ingest/source/AccountQueries.ts";
import { openSource } from "../../../../history/ingest/source/BlockSource.ts";
import { followHeads } from "../../../../history/ingest/source/followHeads.ts";
import type { Database } from "../../../../history/store/Database.ts";
import { destroyAfterStop } from "../../../../history/store/engine/postgres/destroyAfterStop.ts";
import { processName } from "../../../../lib/process/processName.ts";
import { systemRandom } from "../../../../lib/random.ts";
import type { IndexLocation } from "../../../networks/indexLocation.ts";
import { networkKind } from "../../../networks/shipped.ts";
import type { NetworkModules, OpenNetwork } from "../../parts/OpenNetwork.ts";
import { openIndexDatabase } from "../../parts/openIndexDatabase.ts";

/** How a backfiller of this process is called among all that index. */
export function holderName(index: number): string {
  return `${processName()} ${index}`;
}

/** How long to wait until the tables can be used. */
const againMs = 1_000;
const backoff = { firstMs: 500, factor: 2, maxMs: 10_000 };
const sessions = { readers: 3, writers: 2 };

export interface BackfillParts {
  readonly network: Pick<OpenNetwork, "name" | "lite" | "heads" | "zeroState">;
  readonly location: IndexLocation;
  readonly holder: string;
  /** Told now and then what is being done. */
  readonly onStatus: (status: readonly SegmentStatus[]) => void;
  readonly onCommit?: () => void;
}

const statusEveryMs = 1_000;

/** Fills ranges of the index with sessions of its own until the signal aborts. */
export async function runBackfill(
  parts: BackfillParts,
  modules: Pick<NetworkModules, "clock" | "log" | "executor">,
  signal: AbortSignal,
): Promise<void> {
  const { network, holder, onStatus, onCommit = () => {} } = parts;
  const { clock, executor } = modules;
  const log = modules.log.child({ network: network.name });
  const database = await openWhenReady(parts, { clock, log }, signal);
  if (database === undefined) return;
  const cancel = destroyAfterStop(database, clock, signal);
  const common = { clock, random: systemRandom };
  const heads = followHeads(network, clock, signal);
  const source = openSource({ server: network.lite, heads, ...common });
  const own = { database, source, server: network.lite, queries: new AccountQueries(common), executor, log, onCommit };
  const backfiller = new Backfiller({ ...common, ...own }, { holder, network: networkKind(network), backoff });
  const telling = tell(backfiller, clock, onStatus, signal);
  try {
    // It ends only by its signal.
    await backfiller.run(signal).catch(() => {});
  } finally {
    await telling;
    await database.close().finally(cancel);
  }
}

async function tell(
  backfiller: Backfiller,
  clock: NetworkModules["clock"],
  onStatus: BackfillParts["onStatus"],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    onStatus(backfiller.status());
    await clock.sleep(statusEveryMs, signal).catch(() => {});
  }
}

/** The tables may have to be made first, by the process that follows the chain. */
async function openWhenReady(
  { location, network }: BackfillParts,
  modules: Pick<NetworkModules, "clock" | "log">,
  signal: AbortSignal,
): Promise<Database | undefined> {
  while (!signal.aborted) {
    try {
      return await openIndexDatabase(
        location,
        { kind: "read" },
        network.zeroState.rootHash,
        { ...modules, signal },
        { sessions },
      );
    } catch (error) {
      modules.log.debug("waiting for the database to index older blocks", { error });
      await modules.clock.sleep(againMs, signal).catch(() => {});
    }
  }
  return undefined;
}
