import type { RunningService, Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { refuseNameless } from "../networks/indexLocation.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import type { OpenPlanned } from "../service/openHosted.ts";
import { openRemote } from "../service/remote/openRemote.ts";
import type { Service } from "../service/serveNetworks.ts";
import { optimizeLater } from "./optimizeLater.ts";

/** Opens a network of any kind; the code of local networks is loaded only when needed. */
export const openPlanned: OpenPlanned = async (plan, modules) => {
  if (plan.kind !== "local") return openRemote(plan, modules);
  const { openLocal } = await import("../local/serveLocal.ts");
  return openLocal(plan, modules);
};

/** The plans of all configured networks; refuses those whose index has no place. */
function planConfigured(config: AppConfig): readonly NetworkPlan[] {
  const plans = planNetworks(config, systemSources.findFile);
  refuseNameless(config, plans);
  return plans;
}

/** Opens a service; its functions are optimized later while the process starts. */
async function openOptimizingLater<S extends RunningService>(open: () => Promise<S>): Promise<S> {
  const optimizeAsUsual = optimizeLater();
  try {
    const service = await open();
    return { ...service, close: () => service.close().finally(optimizeAsUsual) };
  } catch (error) {
    optimizeAsUsual();
    throw error;
  }
}

/** Serves every configured network. */
export async function serveConfigured(config: AppConfig, terminal: Terminal): Promise<Service> {
  const plans = planConfigured(config);
  return openOptimizingLater(async () => {
    // An indexer does without the interfaces, which are a third of the program.
    const { serveNetworks } = await import("../service/serveNetworks.ts");
    return serveNetworks(config, plans, openPlanned, terminal);
  });
}

/** Writes the index of every configured network, without serving requests. */
export async function indexConfigured(config: AppConfig, terminal: Terminal): Promise<RunningService> {
  const plans = planConfigured(config);
  return openOptimizingLater(async () => {
    const { indexNetworks } = await import("../service/indexNetworks.ts");
    return indexNetworks(config, plans, openPlanned, terminal);
  });
}
