import { ApiError } from "../../../api/declare/errors.ts";
import { formatGap, GlobalVersionWatch } from "../../../chain/GlobalVersionWatch.ts";
import type { ChainAccess, ChainSource } from "../../../chain/LiveChains.ts";
import { poolSource } from "../../../chain/poolSource.ts";
import { toBase64 } from "../../../lib/bytes.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import { LiteError } from "../../../lite/errors.ts";
import type { ServerHead } from "../../../lite/pool/health.ts";
import { LitePool, pooledConnection } from "../../../lite/pool/LitePool.ts";
import type { PoolServer } from "../../../lite/pool/PoolMember.ts";
import type { PoolStatus } from "../../../lite/pool/status.ts";
import { HeadProver } from "../../../lite/queries/HeadProver.ts";
import { TrustedChain } from "../../../lite/queries/TrustedChain.ts";
import { LiteConnection } from "../../../lite/server/LiteConnection.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { VersionGap } from "../../../tvm/globalVersion.ts";
import { type NetworkServer, type RemotePlan, serverName } from "../../NetworkPlan.ts";
import type { NetworkModules, OpenNetwork } from "../parts/OpenNetwork.ts";
import { remoteChecks, watchPool } from "./remoteHealth.ts";
import { formatRemote } from "./remoteWelcome.ts";
import { StartReport } from "./StartReport.ts";
import { chooseStart, TrustedBlockFile } from "./TrustedBlockFile.ts";

/** Starts to follow a network through its lite servers; returns before any of them has answered. */
export function openRemote(plan: RemotePlan, modules: NetworkModules): OpenNetwork {
  const { config, clock } = modules;
  const { name, zeroState, proofs } = plan;
  const log = modules.log.child({ network: name });
  const file = new TrustedBlockFile(config.data, zeroState);
  const start = chooseStart(file, plan.initBlock);
  const servers = plan.servers.map((server) => pooledServer(server, clock));
  const report = new StartReport({ name, servers, start }, modules);
  if (start.problem !== undefined) {
    log.warn("the stored trusted block cannot be used; using the init block", {
      file: file.path,
      reason: start.problem,
    });
  }
  if (proofs === "trust") log.warn("heads are trusted without proof (--trust)", {});
  const trusted: TrustedChain = new TrustedChain({
    ...{ start: start.block, zeroState, proofs },
    onKeyBlock: (block) =>
      keep(file, block, (error) => log.warn("the trusted block cannot be stored", { file: file.path, error })),
    onProgress: (at, target) => {
      prover.noteProgress();
      report.progress(at, target);
    },
  });
  const prover = new HeadProver({ clock, trusted, onReached: (server) => report.reached(server) });
  const head = (server: LiteServer, signal: AbortSignal) => report.watch(server, prover.fetch(server, signal));
  const pool = LitePool.open(servers, { clock, random: systemRandom, log, head });
  const version = new GlobalVersionWatch({ clock, log, pool });
  const over = new AbortController();
  void version.run(over.signal);
  const close = async () => {
    over.abort(new LiteError("lite/closed", `${name} is closed`));
    prover.close();
    await pool.close();
  };
  const welcome: OpenNetwork["welcome"] = (origin, more, style) =>
    formatRemote({ plan, start, origin, more, reach: report.reach }, style);
  return { ...networkOf({ plan, pool, version, close }, modules), welcome, reached: report.begun };
}

function pooledServer(server: NetworkServer, clock: Clock): PoolServer {
  const { isPrivate, publicKey } = server;
  return {
    name: serverName(server),
    address: `${serverName(server)} ${toBase64(publicKey)}`,
    access: isPrivate ? "private" : "public",
    server: new LiteConnection(server, { clock, random: systemRandom }, pooledConnection),
  };
}

function keep(file: TrustedBlockFile, block: BlockIdExt, onFailure: (error: unknown) => void): void {
  try {
    file.write(block);
  } catch (error) {
    // Only speeds up the next start.
    onFailure(error);
  }
}

/** The running parts of a network. */
interface RemoteParts {
  readonly plan: RemotePlan;
  readonly pool: LitePool;
  readonly version: GlobalVersionWatch;
  readonly close: () => Promise<void>;
}

function networkOf(
  { plan, pool, version, close }: RemoteParts,
  { clock, config }: NetworkModules,
): Omit<OpenNetwork, "welcome"> {
  const { name, zeroState, proofs, servers } = plan;
  const headSeqno = () => findHead(pool, "private")?.block.seqno ?? -1;
  const isMixed = servers.some(({ isPrivate }) => isPrivate);
  return {
    ...{ name, zeroState, proofs, plan, close },
    source: readySource(name, pool, servers.map(serverName)),
    lite: ownQueries(pool),
    servers: pool.servers,
    headSeqno,
    headEpoch: isMixed ? mixedEpoch(pool) : headSeqno,
    heads: (signal) => pool.heads(signal, { access: "private" }),
    isLive: () => pool.status().servers.some(({ state }) => state.kind === "ok" || state.kind === "behind"),
    checks: remoteChecks(pool, { clock, maxHeadAgeMs: config.maxHeadAgeMs }),
    facts: () => factsOf(plan, pool.status(), version.gap),
    watch: (metrics) => watchPool(metrics, pool),
  };
}

function findHead(pool: LitePool, access: ChainAccess): ServerHead | undefined {
  try {
    return pool.head({ access });
  } catch (error) {
    if (isCoded(error, "lite/none")) return undefined;
    throw error;
  }
}

/**
 * Callers with a key may see newer blocks than others. An answer is kept only while all see the same block, so that a
 * caller never gets an older one than before; otherwise every request has its own epoch.
 */
function mixedEpoch(pool: LitePool): () => number {
  let looks = 0;
  return () => {
    const [seen, hidden] = [findHead(pool, "public"), findHead(pool, "private")];
    if (seen !== undefined && seen.block.seqno === hidden?.block.seqno) return seen.block.seqno;
    looks += 1;
    return -1 - looks;
  };
}

function factsOf({ name, proofs }: RemotePlan, { head, servers }: PoolStatus, gap: VersionGap | undefined) {
  const used = servers.filter(({ state }) => state.kind === "ok").length;
  return [
    ["Network", name],
    ["Newest masterchain block", String(head?.block.seqno ?? "none proved yet")],
    ["Lite servers", `${used} of ${servers.length} in use`],
    ["Proofs", proofs === "trust" ? "heads are trusted without proof (--trust)" : "checked"],
    ...(gap === undefined ? [] : [["TVM", formatGap(gap)] as const]),
  ] as const;
}

/** While no head is proved yet, requests fail with the reason. */
function readySource(name: string, pool: LitePool, names: readonly string[]): ChainSource {
  const { pin, head } = poolSource(pool, names);
  const readyHead = (access: ChainAccess) => {
    try {
      return head(access);
    } catch (cause) {
      if (!isCoded(cause, "lite/none") || pool.status().head !== undefined) throw cause;
      throw new ApiError("api/unready", `${name} is not ready: ${cause.message}`, { cause });
    }
  };
  return { pin, head: readyHead };
}

/** Our own queries may use private servers; the pool is closed by its owner. */
function ownQueries(pool: LitePool): LiteServer {
  return {
    ask: (query, options) => pool.ask(query, { ...options, access: "private" }),
    close: async () => {},
    destroy: () => {},
  };
}
