import { openMonitorServer } from "../../api/http/server/monitorServer.ts";
import { Metrics } from "../../api/metrics.ts";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { openExecutor } from "../../tvm/run/openExecutor.ts";
import type { RunningService, Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { StatusTerminal } from "../terminal/StatusTerminal.ts";
import { type OpenIndex, openIndex } from "./index/openIndex.ts";
import type { OpenPlanned } from "./openHosted.ts";
import { type Closers, openTogether } from "./parts/Closers.ts";
import type { NetworkModules, OpenNetwork } from "./parts/OpenNetwork.ts";

/** How often progress is printed: at a terminal, and to a file. */
const everyMs = { interactive: 1_000, plain: 10_000 };

/** Opens what reading networks requires, without serving requests; the closers close it. */
export async function openModules(config: AppConfig, terminal: Terminal, closers: Closers): Promise<NetworkModules> {
  const around = terminal instanceof StatusTerminal ? (write: () => void) => terminal.around(write) : undefined;
  const log = openLog({ level: config.logLevel, around });
  const executor = await openExecutor({}, { clock: systemClock });
  closers.add("executor", () => executor.close());
  const write = (text: string): void => terminal.write(text);
  return { config, clock: systemClock, log, executor, write };
}

/** Writes the indexes of networks, and prints their progress. */
export async function indexNetworks(
  config: AppConfig,
  plans: readonly NetworkPlan[],
  open: OpenPlanned,
  given: Terminal,
): Promise<RunningService> {
  makeDataFolder(config.data);
  const terminal = new StatusTerminal(given);
  return openTogether(async (closers) => {
    const modules = await openModules(config, terminal, closers);
    const written: Written[] = [];
    for (const plan of plans) {
      const network = await open(plan, modules);
      closers.add("network", () => network.close());
      const index = await openIndex(network, modules);
      closers.add("index", () => index.close());
      terminal.write(`Indexing ${network.name} into ${index.place()}.\n`);
      written.push({ network, index });
      void network.prepare?.();
    }
    await openMonitor(config, written, terminal, closers);
    terminal.write("Ctrl-C stops it; the next start continues where it stopped.\n");
    closers.add("progress", showProgress(written, modules, terminal));
    return { close: () => closers.close() };
  });
}

/** An indexer serves no requests, so its metrics need a separate port. */
async function openMonitor(
  { metrics: address }: AppConfig,
  written: readonly Written[],
  terminal: Terminal,
  closers: Closers,
): Promise<void> {
  if (address.kind !== "port") return;
  const metrics = new Metrics();
  for (const { index } of written) index.watch(metrics);
  const checks = written.flatMap(({ index }) => index.checks);
  const server = await openMonitorServer(address, { metrics, checks, clock: systemClock });
  closers.add("metrics server", () => server.close());
  terminal.write(`Metrics: http://${address.host}:${server.port}/metrics, readiness: /readyz.\n`);
}

interface Written {
  readonly network: OpenNetwork;
  readonly index: OpenIndex;
}

/** Returns a function that stops it. A terminal shows the newest state as the status line; otherwise each is a line. */
function showProgress(
  written: readonly Written[],
  { clock }: NetworkModules,
  terminal: StatusTerminal,
): () => Promise<void> {
  const { isInteractive } = terminal;
  const stop = new AbortController();
  const show = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const lines = written.map(({ network, index }) => `${network.name}: ${index.describe()}`);
      if (isInteractive) terminal.show(lines.join(" | "));
      else terminal.write(lines.map((line) => `${line}\n`).join(""));
      await clock.sleep(everyMs[isInteractive ? "interactive" : "plain"], stop.signal).catch(() => {});
    }
  };
  const showing = show();
  return async () => {
    stop.abort();
    await showing;
    terminal.show("");
  };
}
