import { ConnectionLimit } from "../../api/http/ConnectionLimit.ts";
import { contractLimits, Draining, type NamedModules, openServer } from "../../api/http/server.ts";
import { Metrics } from "../../api/metrics.ts";
import { v3MaxUrlBytes } from "../../api/v3/limits.ts";
import { toHex } from "../../lib/bytes.ts";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { getOpenFileLimit } from "../../lib/openFileLimit.ts";
import { systemRandom } from "../../lib/random.ts";
import { openExecutor } from "../../tvm/openExecutor.ts";
import { type NetworkAccess, openAccesses } from "../accessFor.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../networks/NetworkPlan.ts";
import { groupByPlace } from "../networks/planNetworks.ts";
import { openExplorer, readPageAssets } from "../openExplorer.ts";
import type { RunningService } from "../Running.ts";
import { StatusTerminal } from "../terminal/StatusTerminal.ts";
import { type Closers, openTogether } from "./Closers.ts";
import { planFiles } from "./fileBudget.ts";
import type { NetworkModules, OpenNetwork, WelcomeLine } from "./OpenNetwork.ts";
import { openHistoryPart } from "./openHistoryPart.ts";
import { openLive } from "./openLive.ts";
import { openLocalPart } from "./openLocalPart.ts";
import { openV2 } from "./openV2.ts";
import { openV4 } from "./openV4.ts";
import { checkPortsFree, refuseAddress } from "./refuseTaken.ts";
import type { OpenPart, ServicePart } from "./ServicePart.ts";
import { type IndexPosition, type StatusSource, showStatus } from "./statusLine.ts";

/** Opens a planned network. */
export type OpenPlanned = (plan: NetworkPlan, modules: NetworkModules) => Promise<OpenNetwork>;

/** The parts of every network's service, in opening order; closed in reverse. */
const parts: readonly OpenPart[] = [openV2, openV4, openHistoryPart, openLocalPart];

/** A running service, and the address of each network, in the order of the plans. */
export interface Service extends RunningService {
  readonly origins: readonly string[];
  /** Resolves when everything is made that nobody was kept waiting for, such as the demo set. */
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
  for (const [first] of groupByPlace(plans)) if (first !== undefined) await checkPortsFree(first.place);
  return openTogether(async (closers) => {
    const screen = new StatusTerminal(terminal);
    const log = openLog({ level: config.logLevel, around: (write) => screen.around(write) });
    const accesses = await openAccesses(config, plans, { clock: systemClock, log });
    closers.add(() => accesses.close());
    const executor = await openExecutor({}, { clock: systemClock });
    closers.add(() => executor.close());
    const held = new HeldTexts(screen);
    // What answers may weigh is said for the whole process.
    const share = { ...config, cacheMegabytes: config.cacheMegabytes / plans.length };
    const modules: NetworkModules = {
      config: share,
      clock: systemClock,
      log,
      executor,
      write: (text) => held.write(text),
    };
    const connections = openConnectionLimit(config, plans, modules);
    const hosted: Hosted[] = [];
    for (const plan of plans) hosted.push(await openHosted(plan, open, { accesses, connections }, modules, closers));
    for (const group of groupByPlace(hosted)) await listen(group, config, closers);
    for (const { network, origin, welcome } of hosted) screen.write(network.welcome(origin(), welcome(origin())));
    held.release();
    const prepared = Promise.all(hosted.map(({ network }) => network.prepare?.()));
    const hideStatus = showStatus(() => hosted.map(statusOf), systemClock, screen);
    closers.add(async () => hideStatus());
    return { origins: hosted.map(({ origin }) => origin()), prepared, close: () => closers.close() };
  });
}

/** The number of connections that the system's limit of open files leaves; logs when they are too few. */
function openConnectionLimit(
  config: AppConfig,
  plans: readonly NetworkPlan[],
  { clock, log }: NetworkModules,
): ConnectionLimit {
  const { connections, problem } = planFiles(getOpenFileLimit(), config, plans);
  if (problem !== undefined) log.warn(problem);
  return new ConnectionLimit(connections, { clock, log });
}

/** Modules shared by the networks of a process. */
interface SharedParts {
  readonly accesses: NetworkAccess;
  readonly connections: ConnectionLimit;
}

/** A network with its parts, ready to listen. */
interface Hosted extends NamedModules {
  readonly place: NetworkPlan["place"];
  readonly network: OpenNetwork;
  /** Its address; known once it listens. */
  readonly origin: () => string;
  readonly listensOn: (port: number) => void;
  /** The lines of its parts in the start message. */
  readonly welcome: (origin: string) => readonly WelcomeLine[];
  readonly index: () => IndexPosition | undefined;
}

function statusOf({ network, metrics, index }: Hosted): StatusSource {
  const { name, headSeqno } = network;
  return { name, headSeqno, index, requests: () => metrics.requests.total };
}

/** Endpoints for monitoring. */
const standing = ({ metrics }: AppConfig) => [
  { path: "/readyz", text: "readiness: the head, the database, the index" },
  ...(metrics.kind === "path" ? [{ path: "/metrics", text: "metrics for Prometheus" }] : []),
];

async function openHosted(
  plan: NetworkPlan,
  open: OpenPlanned,
  { accesses, connections }: SharedParts,
  modules: NetworkModules,
  closers: Closers,
): Promise<Hosted> {
  const { place } = plan;
  const network = await open(plan, modules);
  closers.add(() => network.close());
  const [draining, metrics] = [new Draining(), new Metrics()];
  network.watch(metrics);
  accesses.watch(metrics);
  watchConnections(connections, metrics);
  const nextId = () => toHex(systemRandom.bytes(8));
  const live = openLive(network, modules);
  const shared = { ...modules, live, metrics, access: accesses.of(plan), nextId, isDraining: () => draining.isOn };
  const opened: ServicePart[] = [];
  for (const openPart of parts) {
    const part = await openPart(network, shared);
    closers.add(() => part.close());
    opened.push(part);
  }
  const versions = opened.flatMap(({ versions }) => versions);
  const streams = opened.flatMap(({ streams = [] }) => streams);
  const paths = [
    ...versions.map(({ base }) => base),
    ...streams.flatMap(({ routes }) => routes.map(({ path }) => path)),
  ];
  const explorer = openExplorer(modules.config, network, paths);
  let { port } = place;
  const origin = () => `http://${hostInUrl(place.hostNames[0] ?? place.host)}:${port}`;
  return {
    ...{ place, network, origin, draining, metrics, connections, clock: modules.clock, log: modules.log },
    hostNames: place.hostNames,
    welcome: (at) => [
      ...opened.flatMap(({ welcome }) => welcome?.(at) ?? []),
      ...(explorer === undefined ? [] : [["explorer", `${at}/explorer/`] as const]),
    ],
    index: () => opened.find(({ index }) => index !== undefined)?.index?.(),
    ...{ versions, streams, explorer, assets: readPageAssets() },
    checks: [...network.checks, ...opened.flatMap(({ checks }) => checks)],
    facts: () => ({
      title: "Tongate",
      facts: [...network.facts(), ...opened.flatMap(({ facts }) => facts?.() ?? [])],
      links: [
        ...(explorer === undefined
          ? []
          : [{ path: "/explorer/", text: "the explorer: accounts, transactions, traces, blocks" }]),
        ...opened.flatMap(({ links }) => links),
        ...standing(modules.config),
      ],
      examples: opened.flatMap(({ examples }) => examples?.(origin()) ?? []),
      accounts: opened.flatMap(({ accounts }) => accounts?.() ?? []),
    }),
    listensOn: (found) => {
      port = found;
    },
  };
}

function watchConnections(connections: ConnectionLimit, metrics: Metrics): void {
  metrics.watchGauge("tongate_http_connections", "Open HTTP connections of the process.", () => connections.open);
  metrics.watchCounter(
    "tongate_http_connections_ended_total",
    "Connections ended or refused because no more file descriptors are left for them.",
    () => connections.ended,
  );
}

/** One listener for all networks of an address; the first one answers unknown host names. */
async function listen(group: readonly Hosted[], { metrics, drainMs }: AppConfig, closers: Closers): Promise<void> {
  const [first, ...others] = group;
  if (first === undefined) return;
  const { host, port } = first.place;
  // A v3 request may be longer than the contract of v2 allows; each API version has its own limit.
  const options = { ...contractLimits, maxUrlBytes: v3MaxUrlBytes, host, port, metrics, drainMs, requestMs: 30_000 };
  const server = await openServer(options, first, others).catch((cause: unknown) => {
    throw refuseAddress(first.place, cause);
  });
  closers.add(() => server.close());
  for (const { listensOn } of group) listensOn(server.port);
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

/** An IPv6 address is in brackets. */
function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
