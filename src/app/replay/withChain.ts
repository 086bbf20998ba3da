import type { Chain } from "../../chain/Chain.ts";
import { systemClock } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import { indexPlace } from "../networks/indexPlace.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { openPlanned } from "../serve.ts";
import { type Closers, openTogether } from "../service/Closers.ts";
import { openIndexDatabase } from "../service/index/openIndexDatabase.ts";
import { openModules } from "../service/indexNetworks.ts";
import { openLive } from "../service/openLive.ts";
import type { FindModules } from "./findNamed.ts";

/** The timeout of the whole command. */
const patienceMs = 15 * 60_000;

/** Opens the configured network, waits for its newest block, and closes everything afterwards. */
export async function withChain(
  config: AppConfig,
  terminal: Terminal,
  use: (chain: Chain, openIndex: FindModules["openIndex"]) => Promise<void>,
): Promise<void> {
  const [plan, ...others] = planNetworks(config, systemSources.findFile);
  if (plan === undefined || others.length > 0) throw new AppError("app/usage", "replay takes one network");
  if (plan.kind === "local")
    throw new AppError("app/usage", "replay asks lite servers: name a network with --network or --global-config");
  makeDataFolder(config.data);
  const opened = await openTogether(async (closers: Closers) => {
    const modules = await openModules(config, terminal, closers);
    const network = await openPlanned(plan, modules);
    closers.add(() => network.close());
    return { network, modules, live: openLive(network, modules), close: () => closers.close() };
  });
  const deadline = withDeadline(systemClock, patienceMs);
  try {
    for await (const _ of opened.network.heads(deadline.signal)) break;
    const { network, modules, live } = opened;
    const place = indexPlace(config, plan);
    const openIndex = () => openIndexDatabase(place, { kind: "read" }, network.zeroState.rootHash, modules);
    await use(live.services.chains.open({ access: "private", signal: deadline.signal }), openIndex);
  } finally {
    deadline.dispose();
    await opened.close();
  }
}
