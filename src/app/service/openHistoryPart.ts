import { indexLocation } from "../networks/indexLocation.ts";
import type { OpenPart, ServicePart } from "./parts/ServicePart.ts";

/** The parts that need no index. */
const openEmulation: OpenPart = async (network, modules): Promise<ServicePart> => {
  const { serveEmulation, emulationLink } = await import("./live/serveEmulation.ts");
  const { refuseStreams } = await import("../../api/stream/refuseStreams.ts");
  return {
    versions: [serveEmulation(network, modules)],
    streams: [refuseStreams()],
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
