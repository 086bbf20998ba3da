import { Draining, type NamedModules } from "../../api/http/server/server.ts";
import type { ConnectionLimit } from "../../api/http/sockets/ConnectionLimit.ts";
import { Metrics } from "../../api/metrics.ts";
import { toHex } from "../../lib/bytes.ts";
import { systemRandom } from "../../lib/random.ts";
import type { AppConfig } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import type { NetworkAccess } from "./accessFor.ts";
import { makeAssetLoader, openExplorer } from "./openExplorer.ts";
import { openHistoryPart } from "./openHistoryPart.ts";
import { openLitePart } from "./openLitePart.ts";
import { openLocalPart } from "./openLocalPart.ts";
import { openV2 } from "./openV2.ts";
import { openV4 } from "./openV4.ts";
import { type Closers, openTogether } from "./parts/Closers.ts";
import type { NetworkModules, OpenNetwork, WelcomeLine } from "./parts/OpenNetwork.ts";
import { openLive } from "./parts/openLive.ts";
import type { OpenPart, ServicePart } from "./parts/ServicePart.ts";
import type { IndexPosition, StatusSource } from "./parts/statusLine.ts";

/** Opens a network as it is planned. */
export type OpenPlanned = (plan: NetworkPlan, modules: NetworkModules) => Promise<OpenNetwork>;

/** The parts of every network's service, in the order in which they are opened; closed in reverse. */
const parts: readonly OpenPart[] = [openV2, openV4, openLitePart, openHistoryPart, openLocalPart];

/** Modules shared by the networks of a process. */
export interface SharedParts {
  readonly accesses: NetworkAccess;
  readonly connections: ConnectionLimit;
}

/** A network with its parts, ready to listen. */
export interface Hosted extends NamedModules {
  readonly listen: NetworkPlan["listen"];
  readonly network: OpenNetwork;
  /** Its address; known once it listens. */
  readonly origin: () => string;
  readonly listensOn: (port: number) => void;
  /** The lines of its parts in the start message. */
  readonly welcome: (origin: string) => readonly WelcomeLine[];
  readonly index: () => IndexPosition | undefined;
  close(): Promise<void>;
}

/** The facts of the status line. */
export function statusOf({ network, metrics, index }: Hosted): StatusSource {
  const { name, headSeqno } = network;
  return { name, headSeqno, index, requests: () => metrics.requests.total };
}

/** Endpoints for monitoring. */
const monitoringLinks = ({ metrics }: AppConfig) => [
  { path: "/readyz", text: "readiness: the head, the database, the index" },
  ...(metrics.kind === "path" ? [{ path: "/metrics", text: "metrics for Prometheus" }] : []),
];

/** Opens a network and the parts of its service; everything is closed in reverse. */
export function openHosted(
  plan: NetworkPlan,
  open: OpenPlanned,
  shared: SharedParts,
  modules: NetworkModules,
): Promise<Hosted> {
  return openTogether(async (closers) => {
    const network = await open(plan, modules);
    closers.add("network", () => network.close());
    return { ...(await openParts(plan, network, shared, modules, closers)), close: () => closers.close() };
  });
}

async function openParts(
  plan: NetworkPlan,
  network: OpenNetwork,
  { accesses, connections }: SharedParts,
  modules: NetworkModules,
  closers: Closers,
): Promise<Omit<Hosted, "close">> {
  const { listen } = plan;
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
    closers.add("API version", () => part.close());
    opened.push(part);
  }
  const versions = opened.flatMap(({ versions }) => versions);
  const streams = opened.flatMap(({ streams = [] }) => streams);
  const paths = [
    ...versions.map(({ base }) => base),
    ...streams.flatMap(({ routes }) => routes.map(({ path }) => path)),
  ];
  const assets = makeAssetLoader(modules.log);
  const explorer = openExplorer(modules.config, { coin: plan.coin, ...network }, paths, assets);
  let { port } = listen;
  const origin = () => `http://${hostInUrl(listen.hostNames[0] ?? listen.host)}:${port}`;
  return {
    ...{ listen, network, origin, draining, metrics, connections, clock: modules.clock, log: modules.log },
    hostNames: listen.hostNames,
    welcome: (at) => [
      ...opened.flatMap(({ welcome }) => welcome?.(at) ?? []),
      ...(explorer.isOn ? [["explorer", `${at}/explorer/`] as const] : []),
    ],
    index: () => opened.find(({ index }) => index !== undefined)?.index?.(),
    ...{ versions, streams: [...streams, ...opened.flatMap(({ refused = [] }) => refused)], explorer, assets },
    checks: [...network.checks, ...opened.flatMap(({ checks }) => checks)],
    facts: () => ({
      title: "Tongate",
      facts: [...network.facts(), ...opened.flatMap(({ facts }) => facts?.() ?? [])],
      links: [
        ...(explorer.isOn
          ? [{ path: "/explorer/", text: "the explorer: accounts, transactions, traces, blocks" }]
          : []),
        ...opened.flatMap(({ links }) => links),
        ...monitoringLinks(modules.config),
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
    "Connections closed or refused because no file descriptor is free for them.",
    () => connections.ended,
  );
}

/** An IPv6 address is in brackets. */
function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
