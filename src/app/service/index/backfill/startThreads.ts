import type { SegmentStatus } from "../../../../history/ingest/IndexStatus.ts";
import type { AppConfig } from "../../../config.ts";
import type { RemotePlan } from "../../../NetworkPlan.ts";
import type { IndexLocation } from "../../../networks/indexLocation.ts";
import type { NetworkModules } from "../../parts/OpenNetwork.ts";
import { runThread } from "../../parts/runThread.ts";
import { holderName } from "./runBackfill.ts";

/** What a thread that fills ranges begins with. */
export interface IngestThreadStart {
  readonly config: AppConfig;
  readonly plan: RemotePlan;
  readonly location: IndexLocation;
  readonly holder: string;
}

/** Threads that fill ranges of one index. */
export interface IngestThreads {
  status(): readonly SegmentStatus[];
  close(): Promise<void>;
}

const program = new URL("./ingestThread.js", import.meta.url);
/** How long to wait before a thread that ended is started again. */
const againMs = 2_000;

/** Starts threads that fill ranges; one that ends by a failure is started again. */
export function startThreads(
  count: number,
  start: Omit<IngestThreadStart, "holder">,
  { clock, log }: Pick<NetworkModules, "clock" | "log">,
): IngestThreads {
  const statuses: (readonly SegmentStatus[])[] = [];
  const stop = new AbortController();
  const onError = (error: Error) => log.error("an indexing thread failed", { error });
  const keepRunning = async (index: number): Promise<void> => {
    const keepStatus = (status: readonly SegmentStatus[]): void => {
      statuses[index] = status;
    };
    while (!stop.signal.aborted) {
      const own: IngestThreadStart = { ...start, holder: holderName(index) };
      await runThread<readonly SegmentStatus[]>(program, own, { onMessage: keepStatus, onError }, stop.signal);
      statuses[index] = [];
      await clock.sleep(againMs, stop.signal).catch(() => {});
    }
  };
  const running = Array.from({ length: count }, (_, index) => keepRunning(index + 1));
  return {
    status: () => statuses.flat(),
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}
