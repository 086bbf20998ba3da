import { indexPlace } from "../networks/indexPlace.ts";
import type { OpenPart, ServicePart } from "./ServicePart.ts";

const nothing: ServicePart = { generations: [], checks: [], links: [], close: async () => {} };

/**
 * The chain so far, from an index; nothing where there is neither an index nor a database. All that belongs to an index takes
 * tens of megabytes, so that it is loaded only where there is one.
 */
export const openHistoryPart: OpenPart = async (network, modules) => {
  const { config } = modules;
  if (!config.index && indexPlace(config, network).kind === "embedded") return nothing;
  const { openHistory } = await import("./openHistory.ts");
  return openHistory(network, modules);
};
