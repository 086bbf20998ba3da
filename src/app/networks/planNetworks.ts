import { basename } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import { type GlobalConfig, parseGlobalConfig } from "../../lite/server/globalConfig.ts";
import type { Hash } from "../../model/Hash.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import {
  defaultCoin,
  type ListenAddress,
  type NetworkPlan,
  type NetworkServer,
  type RemotePlan,
  serverName,
} from "../NetworkPlan.ts";
import type { NetworkSetting } from "../networkSetting.ts";
import { findShipped, findShippedCoin, shippedNames } from "./shipped.ts";

/** The text of a file, `undefined` when there is none. */
export type FindFile = (path: string) => string | undefined;

/** The settings that planning needs. */
export type PlanConfig = Pick<AppConfig, "network" | "networks" | "globalConfig" | "trust" | "host" | "port">;

export const localName = "localnet";
const aliases = new Map([["local", localName]]);

/** What identifies the network; that of the local one is known when it runs. */
export function zeroStateOf(plan: NetworkPlan): Hash | undefined {
  return plan.kind === "remote" ? plan.zeroState.rootHash : undefined;
}

/** Decides which networks are served, from where and on which address; refuses contradictions. */
export function planNetworks(config: PlanConfig, findFile: FindFile): readonly NetworkPlan[] {
  const plans = config.network.map((given) => planNetwork(aliases.get(given) ?? given, config, findFile));
  if (plans.length === 0) throw new AppError("app/config", "--network is empty; name at least one network");
  refuseDoubles(plans);
  refuseUnused(plans, config);
  refuseConfusion(plans);
  return plans;
}

/** The same for a command that is about one network. */
export function planOneNetwork(config: PlanConfig, findFile: FindFile): NetworkPlan {
  const [plan, ...others] = planNetworks(config, findFile);
  if (plan === undefined || others.length > 0) throw new AppError("app/usage", "give one network with --network");
  return plan;
}

function planNetwork(text: string, config: PlanConfig, findFile: FindFile): NetworkPlan {
  const setting = Object.hasOwn(config.networks, text) ? config.networks[text] : undefined;
  const listen = placeOf(config, setting);
  if (text === localName) {
    refuseForLocal(setting);
    return { kind: "local", name: localName, coin: setting?.coin ?? defaultCoin, listen };
  }
  const proofs = config.trust || setting?.trust === true ? "trust" : "check";
  if (setting !== undefined || shippedNames.includes(text))
    return remotePlan(text, setting, { listen, proofs, ...factsOf(text, setting, config, findFile) });
  const file = findFile(text);
  if (file === undefined) throw unknownNetwork(text, config);
  if (config.globalConfig !== undefined) {
    throw new AppError(
      "app/config",
      `--global-config ${config.globalConfig} and --network ${text} both name a global config file; give one`,
    );
  }
  const facts = readFacts(file, text);
  return remotePlan(networkName(text, config.networks), undefined, { listen, proofs, ...facts });
}

function remotePlan(
  name: string,
  setting: NetworkSetting | undefined,
  facts: Omit<RemotePlan, "kind" | "name" | "coin">,
): RemotePlan {
  const coin = setting?.coin ?? findShippedCoin(facts.zeroState) ?? defaultCoin;
  return { kind: "remote", name, coin, ...facts };
}

/** The name of a network given on the command line. */
export function networkName(text: string, networks: PlanConfig["networks"]): string {
  const name = aliases.get(text) ?? text;
  const isKnown = name === localName || shippedNames.includes(name) || Object.hasOwn(networks, name);
  return isKnown ? name : basename(name).replace(/\.json$/, "");
}

type Facts = Pick<RemotePlan, "origin" | "zeroState" | "initBlock" | "servers">;

/** A file given on the command line takes precedence over that of the setting, and that over the shipped one. */
function factsOf(name: string, setting: NetworkSetting | undefined, config: PlanConfig, findFile: FindFile): Facts {
  const path = config.globalConfig ?? setting?.globalConfig;
  const base = path === undefined ? shippedFacts(name) : readFacts(getFile(path, findFile), path);
  const zeroState = setting?.zeroState ?? base?.zeroState;
  if (zeroState === undefined) throw new AppError("app/config", `network ${name} needs "globalConfig" or "zeroState"`);
  const initBlock = setting?.initBlock ?? (setting?.zeroState === undefined ? base?.initBlock : undefined) ?? zeroState;
  const servers = mergeServers(name, base?.servers ?? [], setting);
  return { origin: base?.origin ?? "the configuration file", zeroState, initBlock, servers };
}

function shippedFacts(name: string): Facts | undefined {
  const shipped = findShipped(name);
  return shipped && { origin: "the list in this package", ...asFacts(shipped) };
}

function asFacts({ liteServers, ...blocks }: GlobalConfig): Omit<Facts, "origin"> {
  const byName = new Map(liteServers.map((server) => [serverName(server), { ...server, isPrivate: false }]));
  return { ...blocks, servers: [...byName.values()] };
}

function readFacts(text: string, path: string): Facts {
  try {
    const facts = { origin: path, ...asFacts(parseGlobalConfig(text)) };
    if (facts.servers.length === 0) throw new AppError("app/config", "it has no lite server");
    return facts;
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    throw new AppError("app/config", `${path} is not a global config: ${cause.message}`, { cause });
  }
}

function getFile(path: string, findFile: FindFile): string {
  const file = findFile(path);
  if (file === undefined) throw new AppError("app/config", `global config file ${path} does not exist`);
  return file;
}

/** If a server is listed twice, the last one counts. */
function mergeServers(
  name: string,
  published: readonly NetworkServer[],
  setting: NetworkSetting | undefined,
): readonly NetworkServer[] {
  const all = new Map([...published, ...(setting?.liteServers ?? [])].map((each) => [serverName(each), each]));
  for (const wanted of setting?.privateServers ?? []) {
    const networkServer = all.get(wanted);
    if (networkServer === undefined) {
      throw new AppError(
        "app/config",
        `network ${name}: private server "${wanted}" is none of ${[...all.keys()].join(", ")}`,
      );
    }
    all.set(wanted, { ...networkServer, isPrivate: true });
  }
  if (all.size === 0)
    throw new AppError("app/config", `network ${name} has no lite server; give "liteServers" or "globalConfig"`);
  return [...all.values()];
}

function placeOf({ host, port }: PlanConfig, setting: NetworkSetting | undefined): ListenAddress {
  return { host: setting?.host ?? host, port: setting?.port ?? port, hostNames: setting?.hostNames ?? [] };
}

function unknownNetwork(text: string, { networks }: PlanConfig): AppError {
  const known = [...new Set([localName, ...shippedNames, ...Object.keys(networks)])].join(", ");
  return new AppError("app/config", `--network cannot be "${text}"; give one of ${known}, or a global config file`);
}

/** A local network does not use lite servers. */
function refuseForLocal(setting: NetworkSetting | undefined): void {
  const { host, port, hostNames, database, scope, coin, ...others } = setting ?? {};
  const unused = Object.entries(others).find(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  if (unused !== undefined) {
    throw new AppError(
      "app/config",
      `network ${localName} is the local network and cannot have "${unused[0]}"; give host, port, hostNames, database, scope or coin`,
    );
  }
}

function refuseDoubles(plans: readonly NetworkPlan[]): void {
  const names = plans.map(({ name }) => name);
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new AppError("app/config", `network ${double} is named twice`);
}

/** An option without effect is an error. */
function refuseUnused(plans: readonly NetworkPlan[], { globalConfig, trust }: PlanConfig): void {
  const remote = plans.filter(({ kind }) => kind === "remote").length;
  if (trust && remote === 0)
    throw new AppError("app/config", "--trust has no effect on the local network, which uses no lite servers");
  if (globalConfig !== undefined && (remote === 0 || plans.length > 1))
    throw new AppError("app/config", `--global-config ${globalConfig} needs one --network other than localnet`);
}

/** Of networks on one address, all but one need host names. */
function refuseConfusion(plans: readonly NetworkPlan[]): void {
  for (const group of groupByAddress(plans)) {
    const where = `${group[0]?.listen.host}:${group[0]?.listen.port}`;
    const nameless = group.filter(({ listen }) => listen.hostNames.length === 0).map(({ name }) => name);
    if (nameless.length > 1) {
      throw new AppError(
        "app/config",
        `networks ${nameless.join(", ")} all listen on ${where}; give each "hostNames" or a "port"`,
      );
    }
    const names = group.flatMap(({ listen }) => listen.hostNames);
    const double = names.find((name, at) => names.indexOf(name) !== at);
    if (double !== undefined)
      throw new AppError("app/config", `host name ${double} on ${where} belongs to two networks`);
  }
}

/** Networks that share a listener; the first one answers unknown host names. */
export function groupByAddress<T extends { readonly listen: ListenAddress }>(
  all: readonly T[],
): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = `${each.listen.host}:${each.listen.port}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((group) => group.toSorted((a, b) => rank(a) - rank(b)));
}

function rank({ listen }: { readonly listen: ListenAddress }): number {
  return listen.hostNames.length === 0 ? 0 : 1;
}
