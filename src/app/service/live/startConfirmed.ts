import { ConfirmedFollower } from "../../../api/stream/ConfirmedFollower.ts";
import type { PendingTraces } from "../../../chain/pending/PendingTraces.ts";
import { ConfirmedReader } from "../../../history/confirmed/ConfirmedReader.ts";
import { ConfirmedTraces } from "../../../history/confirmed/ConfirmedTraces.ts";
import { AccountQueries } from "../../../history/ingest/source/AccountQueries.ts";
import type { History } from "../../../history/queries/kit/History.ts";
import type { Clock } from "../../../lib/clock.ts";
import { systemRandom } from "../../../lib/random.ts";
import { fetchConfigParams } from "../../../lite/queries/config.ts";
import { findConfigParam } from "../../../model/config/ConfigParams.ts";
import type { OpenIndex } from "../index/openIndex.ts";
import type { Closers } from "../parts/Closers.ts";
import type { OpenNetwork } from "../parts/OpenNetwork.ts";
import type { PartModules } from "../parts/ServicePart.ts";

export interface Confirmed {
  readonly traces: ConfirmedTraces;
  readonly follower: ConfirmedFollower;
}

/** Follows signed shard blocks where a lite server reports them, if that is asked for. */
export function startConfirmed(
  network: OpenNetwork,
  { database, events }: Pick<OpenIndex, "database" | "events">,
  { history, pending }: { readonly history: History; readonly pending: PendingTraces },
  { config, clock, log }: PartModules,
  closers: Closers,
): Confirmed | undefined {
  if (config.confirmedMs === 0) return undefined;
  const queries = new AccountQueries({ clock, random: systemRandom }, { attempts: 1 });
  const reader = new ConfirmedReader({ server: network.lite, queries, database, log });
  const traces = new ConfirmedTraces();
  const follower = new ConfirmedFollower(config.confirmedMs, {
    ...{ servers: network.servers, reader, traces, pending, events, history, clock, log },
    globalVersion: versionOf(network, clock),
  });
  closers.add("confirmed blocks", () => follower.close());
  return { traces, follower };
}

/** How long a version is used: it changes with a vote of the validators. */
const versionMs = 600_000;

/** The global version of the newest block, which decides how messages are read. */
function versionOf({ source, lite }: OpenNetwork, clock: Clock): (signal: AbortSignal) => Promise<number> {
  let known: { readonly version: number; readonly untilMs: number } | undefined;
  return async (signal) => {
    if (known !== undefined && clock.monotonic() < known.untilMs) return known.version;
    const { block } = source.head("private");
    const { config } = await fetchConfigParams(lite, block, [8], { signal });
    const version = findConfigParam(config, 8)?.version ?? 0;
    known = { version, untilMs: clock.monotonic() + versionMs };
    return version;
  };
}
