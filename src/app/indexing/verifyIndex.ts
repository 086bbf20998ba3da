import { isCoded } from "../../lib/errors.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { askVerification } from "../local/localControl.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { indexLocation, refuseNameless } from "../networks/indexLocation.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { type VerifyVerdict, verifyNetwork } from "../service/index/verifyNetwork.ts";
import { openModules } from "../service/indexNetworks.ts";
import { Closers } from "../service/parts/Closers.ts";
import { openIndexDatabase } from "../service/parts/openIndexDatabase.ts";
import { openPlanned } from "../start/serve.ts";
import { withMessagesAside, writeFacts } from "../terminal/writeFacts.ts";

/** Compares some of the indexes with the chain; throws "app/problems" when any differ. */
export async function verifyIndex(
  config: AppConfig,
  { sample, json }: { readonly sample: number; readonly json: boolean },
  terminal: Terminal,
): Promise<void> {
  const plans = planNetworks(config, systemSources.findFile);
  refuseNameless(config, plans);
  const messages = withMessagesAside(terminal, { json });
  const verdicts: (VerifyVerdict & { readonly network: string })[] = [];
  for (const plan of plans) {
    const verdict = await verifyPlanned(config, plan, sample, messages);
    verdicts.push({ network: plan.name, ...verdict });
    if (!json) terminal.write(`${verdict.lines.join("\n")}\n`);
  }
  if (json) writeFacts(terminal, { json }, verdicts, () => "");
  const problems = verdicts.reduce((sum, { differences }) => sum + differences, 0);
  if (problems > 0) throw new AppError("app/problems", `${problems} rows differ from the chain`);
}

/** A built-in database, or a local chain, that a running server holds is verified by that server. */
async function verifyPlanned(
  config: AppConfig,
  plan: NetworkPlan,
  sample: number,
  terminal: Terminal,
): Promise<VerifyVerdict> {
  try {
    return await verifyHere(config, plan, sample, terminal);
  } catch (error) {
    if (!isCoded(error, "history/locked") && !isCoded(error, "localnet/locked")) throw error;
    return askVerification(plan.listen, sample);
  }
}

async function verifyHere(
  config: AppConfig,
  plan: NetworkPlan,
  sample: number,
  terminal: Terminal,
): Promise<VerifyVerdict> {
  const closers = new Closers();
  try {
    const modules = await openModules(config, terminal, closers);
    const { clock, log } = modules;
    const network = await openPlanned(plan, modules);
    closers.add("network", () => network.close());
    const location = indexLocation(config, plan);
    const database = await openIndexDatabase(location, { kind: "read" }, network.zeroState.rootHash, { clock, log });
    closers.add("database", () => database.close());
    return await verifyNetwork(network, database, modules, sample);
  } finally {
    await closers.close();
  }
}
