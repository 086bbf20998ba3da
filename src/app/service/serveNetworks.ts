import { makeAnswers } from "../../api/http/answers/Answers.ts";
import type { AnswerLimits } from "../../api/http/answers/AnswerWriter.ts";
import { contractLimits, openServer } from "../../api/http/server/server.ts";
import { ConnectionLimit } from "../../api/http/sockets/ConnectionLimit.ts";
import { v3MaxUrlBytes } from "../../api/v3/envelope.ts";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { getOpenFileLimit } from "../../lib/process/openFileLimit.ts";
import { openExecutor } from "../../tvm/run/openExecutor.ts";
import type { RunningService, Terminal } from "../Command.ts";
import { keepServerFile } from "../client/serverFile.ts";
import type { AppConfig } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { groupByAddress } from "../networks/planNetworks.ts";
import { StatusTerminal } from "../terminal/StatusTerminal.ts";
import { styleFor } from "../terminal/style.ts";
import { openAccesses } from "./accessFor.ts";
import { planFiles } from "./fileBudget.ts";
import { NetworkHost } from "./NetworkHost.ts";
import { type OpenPlanned, openHosted, statusOf } from "./openHosted.ts";
import { type Closers, openTogether } from "./parts/Closers.ts";
import type { NetworkModules, OpenNetwork } from "./parts/OpenNetwork.ts";
import { showStatus } from "./parts/statusLine.ts";
import { checkPortsFree, refuseAddress } from "./refuseTaken.ts";

/** How long addresses wait for the first news of lite servers. */
const reachMs = 3_000;

/** A running service, and the address of each network, in the order of the plans. */
export interface Service extends RunningService {
  readonly origins: readonly string[];
  /** Resolves when all work after the start is done, such as the demo set. */
  readonly prepared: Promise<unknown>;
}

/**
 * Opens networks, their parts and their listeners; everything is closed in reverse, also when something cannot be
 * opened.
 */
export async function serveNetworks(
  config: AppConfig,
  plans: readonly NetworkPlan[],
  open: OpenPlanned,
  terminal: Terminal,
): Promise<Service> {
  if (config.metrics.kind === "port" && plans.length > 1)
    throw new AppError("app/config", `--metrics cannot be a port with ${plans.length} networks; give off or path`);
  makeDataFolder(config.data);
  for (const [first] of groupByAddress(plans)) if (first !== undefined) await checkPortsFree(first.listen);
  return openTogether(async (closers) => {
    const screen = new StatusTerminal(terminal);
    const log = openLog({ level: config.logLevel, around: (write) => screen.around(write) });
    const accesses = await openAccesses(config, plans, { clock: systemClock, log });
    closers.add("keys and limits", () => accesses.close());
    const executor = await openExecutor({}, { clock: systemClock });
    closers.add("executor", () => executor.close());
    const held = new HeldTexts(screen);
    const share = { ...config, cacheMegabytes: config.cacheMegabytes / plans.length };
    const { connections: maxConnections, liteClients, problem } = planFiles(getOpenFileLimit(), config, plans);
    if (problem !== undefined) log.warn(problem);
    const modules: NetworkModules = {
      config: share,
      liteClients,
      clock: systemClock,
      log,
      executor,
      answers: makeAnswers(answerLimits(config), systemClock),
      write: (text) => held.write(text),
    };
    const connections = new ConnectionLimit(maxConnections, modules);
    const hosts: NetworkHost[] = [];
    for (const plan of plans) {
      const host = new NetworkHost(plan.listen, log, (reopen) =>
        openHosted(plan, open, { accesses, connections }, { ...modules, reopen }),
      );
      hosts.push(host);
      closers.add("network", () => host.close());
      await host.open();
    }
    for (const group of groupByAddress(hosts)) await listen(group, config, closers);
    const hosted = hosts.map((host) => host.hosted);
    await reachNetworks(hosted.map(({ network }) => network));
    // What is known of lite servers comes first, addresses last.
    if (hosted.some(({ network }) => network.reached !== undefined)) held.release();
    const style = styleFor(screen);
    for (const { network, origin, welcome } of hosted)
      screen.write(network.welcome(origin(), welcome(origin()), style));
    held.release();
    const prepared = Promise.all(hosted.map(({ network }) => network.prepare?.()));
    const hideStatus = showStatus(() => hosts.map((host) => statusOf(host.hosted)), systemClock, screen);
    closers.add("status line", async () => hideStatus());
    return { origins: hosted.map(({ origin }) => origin()), prepared, close: () => closers.close() };
  });
}

const megabyte = 1 << 20;

function answerLimits({ maxAnswerMegabytes, maxStackMegabytes, maxUnsentMegabytes }: AppConfig): AnswerLimits {
  return {
    maxAnswerBytes: maxAnswerMegabytes * megabyte,
    maxStackBytes: maxStackMegabytes * megabyte,
    maxUnsentBytes: maxUnsentMegabytes * megabyte,
  };
}

/** Waits a moment until it is known whether lite servers can be reached; requests are answered in the meantime. */
async function reachNetworks(networks: readonly OpenNetwork[]): Promise<void> {
  const waiting = new AbortController();
  const known = Promise.all(networks.map(({ reached }) => reached));
  await Promise.race([known, systemClock.sleep(reachMs, waiting.signal).catch(() => {})]);
  waiting.abort();
}

/** One listener for all networks of an address; the first one answers unknown host names. */
async function listen(
  group: readonly NetworkHost[],
  { metrics, drainMs, data }: AppConfig,
  closers: Closers,
): Promise<void> {
  const [first, ...others] = group;
  if (first === undefined) return;
  const { host, port } = first.listen;
  // A v3 request may be longer than the contract of v2 allows; each API version has its own limit.
  const options = { ...contractLimits, maxUrlBytes: v3MaxUrlBytes, host, port, metrics, drainMs, requestMs: 30_000 };
  const named = others.map(({ hosted }) => hosted);
  const server = await openServer(options, first.hosted, named).catch((cause: unknown) => {
    throw refuseAddress(first.listen, cause);
  });
  closers.add("HTTP server", () => server.close());
  for (const [at, host] of group.entries()) host.listens(server, at);
  for (const { hosted } of group) {
    const file = { data, network: hosted.network.name };
    const forget = keepServerFile(file, { host, port: server.port }, hosted);
    closers.add("server file", async () => forget());
  }
}

/** Messages before the start message are printed after it. */
class HeldTexts {
  readonly #terminal: Terminal;
  #texts: string[] | undefined = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  write(text: string): void {
    if (this.#texts === undefined) this.#terminal.write(text);
    else this.#texts.push(text);
  }

  release(): void {
    const texts = this.#texts ?? [];
    this.#texts = undefined;
    for (const text of texts) this.#terminal.write(text);
  }
}
