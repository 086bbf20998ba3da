import type { Metrics } from "../../../api/metrics.ts";
import { publicOnly } from "../../../history/metadata/AddressPolicy.ts";
import { resolveHost } from "../../../history/metadata/fetchDocument.ts";
import { MetadataFetcher } from "../../../history/metadata/MetadataFetcher.ts";
import { MetadataRequests } from "../../../history/metadata/MetadataRequests.ts";
import type { MetadataRequest } from "../../../history/queries/kit/History.ts";
import type { Database } from "../../../history/store/Database.ts";
import { LibError } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { Closers } from "../parts/Closers.ts";
import type { NetworkModules, OpenNetwork } from "../parts/OpenNetwork.ts";

/** Token metadata of an index: fetched where it is written, asked for where it is only read. */
export interface IndexMetadata {
  /** Requests documents of tokens; returns at once. */
  want(wanted: readonly MetadataRequest[]): void;
  watch(metrics: Metrics): void;
}

/** How often the writer looks for tokens that other processes asked for. */
const lookEveryMs = 5_000;

/** Starts what the configuration wants of token metadata; the closers stop it. */
export function startMetadata(
  { local }: Pick<OpenNetwork, "local">,
  database: Database,
  { config, clock, log }: Pick<NetworkModules, "config" | "clock" | "log">,
  closers: Closers,
): IndexMetadata {
  const { metadata, ipfsGateway } = config;
  if (metadata === "off") return { want: () => {}, watch: () => {} };
  if (!config.index) {
    const wanted = new MetadataRequests({ database, clock, log });
    closers.add("requested token documents", () => wanted.close());
    return { want: (tokens) => wanted.want(tokens), watch: () => {} };
  }
  // A local network fetches no documents from the Internet by default.
  const isOnchain = metadata === "onchain" || (metadata === "auto" && local !== undefined);
  const fetcher = new MetadataFetcher(
    { database, clock, log, random: systemRandom, allows: publicOnly, resolve: resolveHost },
    { documents: isOnchain ? "onchain" : "fetched", ipfsGateway, lookEveryMs },
  );
  const stop = new AbortController();
  const running = fetcher.run(stop.signal);
  closers.add("token documents", async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await running;
  });
  return { want: (tokens) => fetcher.want(tokens), watch: (metrics) => watchFetcher(fetcher, metrics) };
}

function watchFetcher(fetcher: MetadataFetcher, metrics: Metrics): void {
  for (const name of ["waiting", "running"] as const)
    metrics.watchGauge(`tongate_metadata_${name}`, `Token documents: ${name}.`, () => fetcher.counters()[name]);
  for (const name of ["fetched", "failed"] as const)
    metrics.watchCounter(`tongate_metadata_${name}_total`, `Token documents: ${name}.`, () => fetcher.counters()[name]);
}
