import { indexLocation } from "../networks/indexLocation.ts";
import type { OpenPart, ServicePart } from "./parts/ServicePart.ts";

/** In the form of v3's errors. */
const historyOff = {
  code: 503,
  error:
    "v3 is off: this server has no index (--no-index); start it without --no-index, or with the --database of an index",
};

/** The parts that need no index; those that need one say so. */
const openEmulation: OpenPart = async (network, modules): Promise<ServicePart> => {
  const { serveEmulation, emulationLink } = await import("./live/serveEmulation.ts");
  const { refuseStreams } = await import("../../api/stream/refuseStreams.ts");
  const { offRoutes } = await import("../../api/http/server/offRoutes.ts");
  const history = { routes: offRoutes(["/api/v3", "/api/v3/*"], historyOff), upgrades: new Map() };
  return {
    versions: [serveEmulation(network, modules)],
    refused: [refuseStreams(), { ...history, close: async () => {} }],
    facts: () => [["Index", "off (--no-index): no v3, no streams, no explorer"]],
    checks: [],
    links: [emulationLink],
    close: async () => {},
  };
};

/**
 * History from an index; only emulation when there is neither an index nor a database. The code of an index takes tens
 * of megabytes, so it is loaded only where there is one.
 */
export const openHistoryPart: OpenPart = async (network, modules) => {
  const { config } = modules;
  if (!config.index && indexLocation(config, network).kind === "embedded") return openEmulation(network, modules);
  const { openHistory } = await import("./openHistory.ts");
  return openHistory(network, modules);
};
