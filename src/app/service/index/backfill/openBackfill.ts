import type { SegmentStatus } from "../../../../history/ingest/IndexStatus.ts";
import { LibError } from "../../../../lib/errors.ts";
import { AppError } from "../../../errors.ts";
import { type IndexLocation, indexLocation } from "../../../networks/indexLocation.ts";
import type { NetworkModules, OpenNetwork } from "../../parts/OpenNetwork.ts";
import { holderName, runBackfill } from "./runBackfill.ts";
import { startThreads } from "./startThreads.ts";

/** What fills ranges of an index beside the follower, in this process. */
export interface OpenBackfill {
  /** How many ranges the follower fills itself. */
  readonly ofFollower: number;
  status(): readonly SegmentStatus[];
  close(): Promise<void>;
}

const none: Omit<OpenBackfill, "ofFollower"> = { status: () => [], close: async () => {} };

/**
 * Fills ranges of an index. The built-in database has one session, so that the follower fills one range at a time. With
 * PostgreSQL one worker runs in this thread, several in threads of their own; they work whether this process follows
 * the chain or waits for another one that does.
 */
export function openBackfill(network: OpenNetwork, modules: NetworkModules, onCommit: () => void): OpenBackfill {
  const { config } = modules;
  const location = indexLocation(config, network);
  const { indexWorkers } = config;
  if (location.kind === "embedded") {
    if (indexWorkers !== 1) throw alone(indexWorkers, "the built-in database allows one writer; give --database");
    return { ...none, ofFollower: 1 };
  }
  if (network.plan === undefined && indexWorkers > 1)
    throw alone(indexWorkers, "the local network runs only in this process");
  if (network.plan !== undefined && indexWorkers > 1)
    return { ofFollower: 0, ...startThreads(indexWorkers, { config, plan: network.plan, location }, modules) };
  return indexWorkers === 0 ? { ...none, ofFollower: 0 } : inThisThread(network, location, modules, onCommit);
}

function alone(workers: number, why: string): AppError {
  return new AppError("app/config", `--index-workers cannot be ${workers}: ${why}`);
}

function inThisThread(
  network: OpenNetwork,
  location: IndexLocation,
  modules: NetworkModules,
  onCommit: () => void,
): OpenBackfill {
  let status: readonly SegmentStatus[] = [];
  const stop = new AbortController();
  const onStatus = (now: readonly SegmentStatus[]): void => {
    status = now;
  };
  const running = runBackfill({ network, location, holder: holderName(0), onStatus, onCommit }, modules, stop.signal);
  return {
    ofFollower: 0,
    status: () => status,
    close: async () => {
      stop.abort(new LibError("lib/aborted", "the index is closed"));
      await running;
    },
  };
}
