import type { Terminal } from "./Command.ts";
import { type Config, systemSources } from "./config.ts";
import { type FindFile, planNetworks } from "./networks/planNetworks.ts";
import { openLocal } from "./serveLocal.ts";
import { openRemote } from "./service/openRemote.ts";
import { type Service, serveNetworks } from "./service/serveNetworks.ts";

/** Serves every network that the configuration names. */
export async function serve(
  config: Config,
  terminal: Terminal,
  findFile: FindFile = systemSources.findFile,
): Promise<Service> {
  return serveNetworks(
    config,
    planNetworks(config, findFile),
    async (plan, modules) => (plan.kind === "local" ? openLocal(plan, modules) : openRemote(plan, modules)),
    terminal,
  );
}
