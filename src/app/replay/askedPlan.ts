import { join } from "node:path";
import { findLockHolder } from "../../localnet/store/folderLock.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { globalConfigName, localFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { planNetworks } from "../networks/planNetworks.ts";

/** The network that a command asks. */
export interface AskedPlan {
  /** As it is configured; its index is found by this. */
  readonly configured: NetworkPlan;
  /** With the lite servers that are asked. */
  readonly asked: NetworkPlan;
}

/**
 * The one network of the configuration; the local one is asked like any other, through the lite server of its process.
 */
export async function askedPlan(config: AppConfig): Promise<AskedPlan> {
  const [configured, ...others] = planNetworks(config, systemSources.findFile);
  if (configured === undefined || others.length > 0)
    throw new AppError("app/usage", "this command takes one network; name it with --network");
  return { configured, asked: configured.kind === "local" ? await runningPlan(config) : configured };
}

async function runningPlan(config: AppConfig): Promise<NetworkPlan> {
  const folder = localFolder(config);
  const path = join(folder, globalConfigName);
  const network = `the local network in ${folder}`;
  if ((await findLockHolder(folder)) === undefined) throw missing(`${network} is not running; start it`);
  if (systemSources.findFile(path) === undefined)
    throw missing(`${network} runs without a lite server; start it without --lite-port off`);
  const [plan] = planNetworks({ ...config, network: [path] }, systemSources.findFile);
  if (plan === undefined) throw new AppError("app/usage", `${path} has no network`);
  return plan;
}

const missing = (what: string) => new AppError("app/usage", `${what}, or name another network with --network`);
