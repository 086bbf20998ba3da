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

/** Serves every configured network. */
export async function serveConfigured(config: AppConfig, terminal: Terminal): Promise<Service> {
  const plans = planConfigured(config);
  optimizeLater();
  // An indexer does without the interfaces, which are a third of the program.
  const { serveNetworks } = await import("../service/serveNetworks.ts");
  return serveNetworks(config, plans, openPlanned, terminal);
}

/** Writes the index of every configured network, without serving requests. */
export async function indexConfigured(config: AppConfig, terminal: Terminal): Promise<RunningService> {
  const plans = planConfigured(config);
  optimizeLater();
  const { indexNetworks } = await import("../service/indexNetworks.ts");
  return indexNetworks(config, plans, openPlanned, terminal);
}
