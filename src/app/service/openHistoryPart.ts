import { indexPlace } from "../networks/indexPlace.ts";
import type { OpenPart, ServicePart } from "./ServicePart.ts";

/** What needs no index. */
const openEmulation: OpenPart = async (network, modules): Promise<ServicePart> => {
  const { serveEmulation, emulationLink } = await import("./live/serveEmulation.ts");
  return {
    generations: [serveEmulation(network, modules)],
    checks: [],
    links: [emulationLink],
    close: async () => {},
  };
};

/**
 * The chain so far, from an index; emulation alone where there is neither an index nor a database. All that belongs to an index takes
 * tens of megabytes, so that it is loaded only where there is one.
 */
export const openHistoryPart: OpenPart = async (network, modules) => {
  const { config } = modules;
  if (!config.index && indexPlace(config, network).kind === "embedded") return openEmulation(network, modules);
  const { openHistory } = await import("./openHistory.ts");
  return openHistory(network, modules);
};
