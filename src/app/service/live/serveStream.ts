import { type OpenStream, type OpenStreamModules, openStream } from "../../../api/stream/openStream.ts";
import type { PendingTraces } from "../../../chain/pending/PendingTraces.ts";
import type { EventLog } from "../../../history/events/EventLog.ts";
import type { History } from "../../../history/queries/kit/History.ts";
import type { OpenNetwork } from "../parts/OpenNetwork.ts";
import type { PartModules } from "../parts/ServicePart.ts";

export interface StreamParts {
  readonly history: History;
  readonly pending: PendingTraces;
  readonly events: EventLog;
  readonly confirmed: OpenStreamModules["confirmed"];
  readonly abis: OpenStreamModules["abis"];
}

/** The streaming side of v3: events of indexed blocks, and of predictions. */
export function serveStream({ local, zeroState }: OpenNetwork, modules: PartModules, parts: StreamParts): OpenStream {
  const { config, access, clock, log, metrics, live } = modules;
  const stream = openStream({
    ...{ ...parts, access, clock, log },
    trustedProxies: config.trustedProxies,
    limits: live.streamLimits,
    mayAskForAll: local !== undefined,
    zeroState: zeroState.rootHash,
    maxHeadAgeMs: config.maxHeadAgeMs,
  });
  const { hub } = stream;
  metrics.watchGauge("tongate_stream_connections", "Open streams.", () => hub.counters().connections);
  metrics.watchGauge("tongate_stream_slow", "Streams with unsent data.", () => hub.counters().slow);
  metrics.watchGauge(
    "tongate_stream_waiting_bytes",
    "Bytes of streams that are not sent yet.",
    () => hub.counters().waitingBytes,
  );
  metrics.watchCounter("tongate_stream_events_total", "Events sent over streams.", () => hub.counters().events);
  return stream;
}
