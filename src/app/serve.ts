import type { Terminal } from "./Command.ts";
import { type Config, systemSources } from "./config.ts";
import { refuseNameless } from "./networks/indexPlace.ts";
import { type FindFile, planNetworks } from "./networks/planNetworks.ts";
import type { Running } from "./Running.ts";
import { openLocal } from "./serveLocal.ts";
import { indexNetworks } from "./service/indexNetworks.ts";
import { openRemote } from "./service/openRemote.ts";
import { type OpenPlanned, type Service, serveNetworks } from "./service/serveNetworks.ts";

/** Opens a network, wherever its blocks come from. */
export const openPlanned: OpenPlanned = async (plan, modules) =>
  plan.kind === "local" ? openLocal(plan, modules) : openRemote(plan, modules);

/** Serves every network that the configuration names. */
export async function serve(
  config: Config,
  terminal: Terminal,
  findFile: FindFile = systemSources.findFile,
): Promise<Service> {
  const plans = planNetworks(config, findFile);
  refuseNameless(config, plans);
  return serveNetworks(config, plans, openPlanned, terminal);
}

/** Writes the index of every network that the configuration names, and answers nobody. */
export async function index(
  config: Config,
  terminal: Terminal,
  findFile: FindFile = systemSources.findFile,
): Promise<Running> {
  const plans = planNetworks(config, findFile);
  refuseNameless(config, plans);
  return indexNetworks(config, plans, openPlanned, terminal);
}
