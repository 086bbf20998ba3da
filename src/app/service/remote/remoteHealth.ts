import type { Metrics } from "../../../api/metrics.ts";
import type { ReadinessCheck } from "../../../api/readiness.ts";
import type { Clock } from "../../../lib/clock.ts";
import { LiteError } from "../../../lite/errors.ts";
import type { LitePool } from "../../../lite/pool/LitePool.ts";
import type { PoolStatus, ServerStatus } from "../../../lite/pool/status.ts";

/** The inputs of readiness. */
export interface FreshnessModules {
  readonly clock: Clock;
  readonly maxHeadAgeMs: number;
}

/** Returns the age of a newest block, or throws when it is too old. */
export function judgeAge(
  seqno: number,
  ageMs: number,
  { maxHeadAgeMs }: Pick<FreshnessModules, "maxHeadAgeMs">,
): string {
  const text = `masterchain block ${seqno} is ${Math.floor(ageMs / 1_000)} s old`;
  if (ageMs > maxHeadAgeMs) throw new LiteError("lite/behind", `${text}; the limit is ${maxHeadAgeMs / 1_000} s`);
  return text;
}

/** The readiness checks of a network behind lite servers. */
export function remoteChecks(pool: Pick<LitePool, "status">, modules: FreshnessModules): readonly ReadinessCheck[] {
  return [
    {
      name: "head",
      check: () => {
        const { head, servers } = pool.status();
        if (head === undefined) throw new LiteError("lite/none", `no head is proved yet: ${reasons(servers)}`);
        return judgeAge(head.block.seqno, Math.max(modules.clock.now() - head.genUtime * 1_000, 0), modules);
      },
    },
    {
      name: "lite servers",
      check: () => {
        const { servers } = pool.status();
        const used = servers.filter(({ state }) => state.kind === "ok").length;
        if (used === 0) throw new LiteError("lite/none", `none in use: ${reasons(servers)}`);
        return `${used} of ${servers.length} in use`;
      },
    },
  ];
}

/** This is public, so private servers are counted and not named. */
function reasons(servers: readonly ServerStatus[]): string {
  const named = servers
    .filter(({ access }) => access === "public")
    .map(({ name, unusedBecause }) => `${name}: ${unusedBecause ?? "in use"}`);
  const hidden = servers.length - named.length;
  return [...named, ...(hidden === 0 ? [] : [`${hidden} private`])].join("; ");
}

/** The state of the pool as metrics. */
export function watchPool(metrics: Metrics, pool: Pick<LitePool, "status">): void {
  const gauge = (name: string, help: string, read: (status: PoolStatus) => number) =>
    metrics.watchGauge(name, help, () => read(pool.status()));
  const counter = (name: `${string}_total`, help: string, read: (status: PoolStatus) => number) =>
    metrics.watchCounter(name, help, () => read(pool.status()));
  gauge("tongate_head_seqno", "Newest proved masterchain block.", ({ head }) => head?.block.seqno ?? 0);
  gauge("tongate_head_age_seconds", "Age of the newest proved block.", ({ headAgeMs }) => (headAgeMs ?? 0) / 1_000);
  gauge("tongate_lite_servers", "Lite servers configured.", ({ servers }) => servers.length);
  gauge("tongate_lite_servers_in_use", "Lite servers in use.", ({ servers }) => count(servers, "ok"));
  gauge("tongate_lite_servers_quarantined", "Lite servers that sent answers whose proofs do not hold.", ({ servers }) =>
    count(servers, "quarantined"),
  );
  counter("tongate_lite_proof_errors_total", "Answers whose proofs do not hold.", ({ servers }) =>
    sum(servers, "proofErrors"),
  );
  counter("tongate_lite_errors_total", "Queries that lite servers failed to answer.", ({ servers }) =>
    sum(servers, "errors"),
  );
  counter("tongate_lite_queries_total", "Queries sent to lite servers for callers.", ({ queries }) => queries);
  counter("tongate_lite_hedges_total", "Queries sent to a second server for speed.", ({ hedges }) => hedges);
}

function count(servers: readonly ServerStatus[], kind: ServerStatus["state"]["kind"]): number {
  return servers.filter(({ state }) => state.kind === kind).length;
}

function sum(servers: readonly ServerStatus[], counter: "proofErrors" | "errors"): number {
  return servers.reduce((total, server) => total + server[counter], 0);
}
