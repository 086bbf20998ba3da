import { engineFiles } from "../../history/store/engine/embedded/engineFiles.ts";
import type { AppConfig } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { indexLocation } from "../networks/indexLocation.ts";

/** Files of the program itself: threads, the log, block logs, documents and pages that are being sent. */
const ownFiles = 64;
/** Sessions of a PostgreSQL: readers, the writer, its lock, a listener; some more while reconnecting. */
const sessionFiles = 24;
/** Besides the files of its engine: the lock, the process that makes files. */
const folderFiles = 16;
/** Concurrent fetches of token documents, with their name lookups. */
const documentFiles = 16;
/** The least useful number of HTTP connections. */
const leastConnections = 64;

/** The most lite clients of a local network, and their share of what is left for clients. */
const maxLiteClients = 1_024;
const liteShare = 1 / 4;

/** How the open files and sockets of a process are divided. */
export interface FileBudget {
  /** The rest, for HTTP connections. */
  readonly connections: number;
  /** For the lite clients of each local network. */
  readonly liteClients: number;
  /** Why that is too few, in one line. */
  readonly problem: string | undefined;
}

/** Reserves what databases, lite servers, files and lite clients need; the rest is for HTTP connections. */
export function planFiles(limit: number, config: AppConfig, plans: readonly NetworkPlan[]): FileBudget {
  const needed = plans.reduce((sum, plan) => sum + filesOf(plan, config, limit), ownFiles);
  const left = Math.max(limit - needed, leastConnections / 4);
  const ports = config.litePort === "off" ? 0 : plans.filter(({ kind }) => kind === "local").length;
  const liteClients = ports === 0 ? 0 : Math.min(maxLiteClients, Math.floor((left * liteShare) / ports));
  const connections = left - ports * liteClients;
  if (limit - needed >= leastConnections) return { connections, liteClients, problem: undefined };
  const wanted = leastLimit(config, plans);
  const problem =
    `the limit of ${limit} open files leaves ${Math.max(limit - needed, 0)} connections for ` +
    `clients; raise it to ${wanted} (ulimit -n ${wanted}, or LimitNOFILE= of systemd)`;
  return { connections, liteClients, problem };
}

function filesOf(plan: NetworkPlan, config: AppConfig, limit: number): number {
  const servers = plan.kind === "remote" ? plan.servers.length : 0;
  return servers + documentFiles + indexFiles(plan, config, limit);
}

function indexFiles(plan: NetworkPlan, config: AppConfig, limit: number): number {
  if (indexLocation(config, plan).kind === "postgres") return sessionFiles;
  return config.index ? engineFiles(limit) + folderFiles : 0;
}

/** The least limit that is a power of two and leaves enough connections. */
function leastLimit(config: AppConfig, plans: readonly NetworkPlan[]): number {
  for (let limit = 256; ; limit *= 2) {
    const needed = plans.reduce((sum, plan) => sum + filesOf(plan, config, limit), ownFiles);
    if (limit - needed >= leastConnections) return limit;
  }
}
