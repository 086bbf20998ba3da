import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { v3Api, v3MaxUrlBytes } from "../../api/v3/envelope.ts";
import type { GatherFacts } from "../../chain/pending/pendingMeaning.ts";
import type { CompileSource } from "../../contracts/AbiLibrary.ts";
import { factsOf } from "../../history/meaning/factsOf.ts";
import { contractHistory, History } from "../../history/queries/kit/History.ts";
import type { AppConfig } from "../config.ts";
import { networkKind } from "../networks/shipped.ts";
import { type OpenIndex, openIndex } from "./index/openIndex.ts";
import { reportReady } from "./index/reportReady.ts";
import { verifyRoutes } from "./index/verifyRoutes.ts";
import { emulationLink, serveEmulation } from "./live/serveEmulation.ts";
import { serveStream } from "./live/serveStream.ts";
import { startConfirmed } from "./live/startConfirmed.ts";
import { startPending } from "./live/startPending.ts";
import { AbiFolder } from "./parts/AbiFolder.ts";
import { Closers } from "./parts/Closers.ts";
import type { OpenNetwork, WelcomeLine } from "./parts/OpenNetwork.ts";
import type { OpenPart, PartModules } from "./parts/ServicePart.ts";
import { SourceCompiler } from "./parts/SourceCompiler.ts";

/** v3: history from an index. */
export const openHistory: OpenPart = async (network, modules) => {
  const { config, clock, live, executor, write, ...rest } = modules;
  const closers = new Closers();
  const index = await openIndex(network, modules);
  closers.add("index", () => index.close());
  const { database } = index;
  startReport(network, index, modules, closers);
  const gatherFacts: GatherFacts = (trace, signal) =>
    factsOf(database, networkKind(network), trace, signal, index.failures);
  const abis = new AbiFolder(config.data, clock);
  const compile = openCompiler(modules, closers);
  const pending = startPending(gatherFacts, index, modules, closers, abis);
  const history = openReading(network, index, modules, abis);
  const confirmed = startConfirmed(network, index, { history, pending }, modules, closers);
  index.watch(modules.metrics);
  const { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies, strictParameters } = config;
  const served = serveVersion(
    v3Api,
    {
      ...contractLimits,
      ...{ maxUrlBytes: v3MaxUrlBytes, deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies, strictParameters },
      ...cacheBytes(config),
    },
    {
      ...rest,
      clock,
      services: { history, live: live.services, pending, confirmed: confirmed?.traces, abis, compile },
      head: index.epoch,
    },
  );
  const stream = serveStream(network, modules, {
    history,
    pending,
    events: index.events,
    confirmed: confirmed?.follower,
    abis,
  });
  const emulation = serveEmulation(network, modules, { history, gatherFacts, pending }, abis);
  return {
    versions: [served, emulation],
    streams: [stream, verifyRoutes(network, database, modules)],
    checks: index.checks,
    links: [{ path: "/api/v3/", text: "v3: history, with a page to try every operation" }, emulationLink],
    examples: (origin) => [`curl '${origin}/api/v3/actions?limit=5'`],
    facts: () => [["Index", index.describe()]],
    index: () => ({
      condition: database.condition().kind,
      seqno: index.head()?.seqno,
      status: index.indexer?.status(),
    }),
    welcome: (origin) => welcomeLines(network, index, origin, config.index && config.from === undefined),
    close: () => closers.close(),
  };
};

function openCompiler({ clock }: PartModules, closers: Closers): CompileSource {
  const compiler = new SourceCompiler(clock);
  closers.add("compiler", () => compiler.close());
  return compiler.compile;
}

function openReading(network: OpenNetwork, index: OpenIndex, { config, clock }: PartModules, abis: AbiFolder): History {
  const { database } = index;
  const options = {
    ...contractHistory,
    isTestnet: networkKind(network) === "testnet",
    // There the chain's own actions would soon be all that a list shows.
    listsSystem: network.local === undefined,
    usesChainTime: network.local !== undefined,
    // A too slow statement ends the built-in engine, which should also be rare on a slow machine.
    ...(database.kind === "embedded" && { timeoutMs: config.deadlineMs }),
  };
  return new History(options, { database, wantMetadata: index.wantMetadata, reporter: index.failures, clock, abis });
}

function startReport(network: OpenNetwork, index: OpenIndex, modules: PartModules, closers: Closers): void {
  const stop = new AbortController();
  const reporting = reportReady(network, index, modules, stop.signal);
  closers.add("report of readiness", async () => {
    stop.abort();
    await reporting;
  });
}

/** Beside what v2 keeps; of what is immutable, v3 has decoded bodies only. */
function cacheBytes({ cacheMegabytes }: Pick<AppConfig, "cacheMegabytes">) {
  return { headBytes: (cacheMegabytes << 20) / 4, lastingBytes: 1 << 20 };
}

function welcomeLines(
  network: OpenNetwork,
  { place, database }: OpenIndex,
  origin: string,
  isUsual: boolean,
): WelcomeLine[] {
  const lines: WelcomeLine[] = [["v3", `${origin}/api/v3/`]];
  // That of a local network is beside its chain.
  if (network.local !== undefined && database.kind === "embedded") return lines;
  lines.push(["index", place()]);
  if (network.local === undefined && isUsual)
    lines.push(["", "from the newest block on; --from genesis adds older blocks"]);
  return lines;
}
