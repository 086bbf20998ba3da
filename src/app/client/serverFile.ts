import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import { writeWhole } from "../../lib/files/writeWhole.ts";
import { parseJson } from "../../lib/json.ts";
import type { Log } from "../../lib/log.ts";
import { type AppConfig, systemSources } from "../config.ts";
import type { ListenAddress } from "../NetworkPlan.ts";

/** A running server of a network. */
interface RunningServer {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
}

/** The file in the data folder by which commands find the running server of a network. */
function pathOf(data: string, network: string): string {
  return join(data, "servers", `${network}.json`);
}

/** Writes where a network is served; returns a function that removes it. Without the file, commands need --port. */
export function keepServerFile(
  { data, network }: { readonly data: string; readonly network: string },
  { host, port }: Pick<ListenAddress, "host" | "port">,
  { log }: { readonly log: Log },
): () => void {
  const path = pathOf(data, network);
  const server: RunningServer = { pid: process.pid, host, port };
  try {
    mkdirSync(join(data, "servers"), { recursive: true });
    writeWhole(path, new TextEncoder().encode(`${JSON.stringify(server)}\n`));
  } catch (error) {
    if (!isCoded(error, "lib/storage") && !(error instanceof Error && "syscall" in error)) throw error;
    log.warn("other commands find this server only with --port", { path, error: error.message });
  }
  return () => {
    if (findServer(data, network)?.port === port) rmSync(path, { force: true });
  };
}

/** The running server of a network; none if its process has ended. */
function findServer(data: string, network: string): RunningServer | undefined {
  const { pid, host, port } = readServer(systemSources.findFile(pathOf(data, network)) ?? "{}");
  if (typeof pid !== "number" || typeof host !== "string" || typeof port !== "number") return undefined;
  return isRunning(pid) ? { pid, host, port } : undefined;
}

/** A damaged file says nothing. */
function readServer(text: string): Partial<Record<keyof RunningServer, unknown>> {
  try {
    return Object(parseJson(text));
  } catch (error) {
    if (!isCoded(error)) throw error;
    return {};
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, too.
    return Object(error).code === "EPERM";
  }
}

/** The configuration with the address of the server that runs on its data folder, if there is one. */
export function withRunningServer(config: AppConfig, network: string): AppConfig {
  const server = findServer(config.data, network);
  if (server === undefined) return config;
  const { host, port } = server;
  const setting = Object.hasOwn(config.networks, network) ? config.networks[network] : undefined;
  const networks =
    setting === undefined ? config.networks : { ...config.networks, [network]: { ...setting, host, port } };
  return { ...config, host, port, networks };
}
