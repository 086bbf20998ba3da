import { type AccessControl, Gatekeeper, openAccess } from "../../api/access/Gatekeeper.ts";
import { KeyFile } from "../../api/access/KeyFile.ts";
import { KeyRing } from "../../api/access/KeyRing.ts";
import { type LimitStore, MemoryLimits, type Rate } from "../../api/access/limits.ts";
import { RedisLimits } from "../../api/access/RedisLimits.ts";
import type { Metrics } from "../../api/metrics.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { AppConfig, PlanSetting } from "../config.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

/** Keys and limits of each network; keys and counters are shared by all of them. */
export interface NetworkAccess {
  of(plan: NetworkPlan): AccessControl;
  /** Metrics of how requests are counted, when several processes share counters. */
  watch(metrics: Metrics): void;
  close(): Promise<void>;
}

interface Modules {
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens keys and counters if some network needs them; refuses a Redis that would not be used. */
export async function openAccesses(
  config: AppConfig,
  plans: readonly NetworkPlan[],
  modules: Modules,
): Promise<NetworkAccess> {
  const isLimited = (plan: NetworkPlan) => hasLimits(config, plan);
  if (config.redis !== undefined && !plans.some(isLimited))
    throw new AppError("app/config", "--redis has no effect while limits are off; give --limits on");
  if (!plans.some((plan) => isLimited(plan) || hasPrivateServers(plan)))
    return { of: () => openAccess, watch: () => {}, close: async () => {} };
  const limits = await openLimits(config, modules);
  const ring = KeyRing.open(new KeyFile(config.data), modules);
  const parts = { keys: ring, limits };
  return {
    of: (plan) => {
      if (isLimited(plan)) return new Gatekeeper(gateOptions(config, plan.name), parts);
      // Without limits, a key still gives access to private servers.
      return hasPrivateServers(plan) ? new Gatekeeper(uncounted(plan.name), parts) : openAccess;
    },
    watch: (metrics) => {
      if (limits instanceof RedisLimits) watchShared(limits, metrics);
    },
    close: async () => {
      ring.close();
      await limits.close();
    },
  };
}

/** Whether requests are counted: always, except for a local network that only this machine can reach. */
function hasLimits({ limits }: AppConfig, { kind, listen }: NetworkPlan): boolean {
  return limits === "on" || (limits === "auto" && !(kind === "local" && loopback.has(listen.host)));
}

function hasPrivateServers(plan: NetworkPlan): boolean {
  return plan.kind === "remote" && plan.servers.some(({ isPrivate }) => isPrivate);
}

async function openLimits({ redis }: AppConfig, { clock, log }: Modules): Promise<LimitStore> {
  const memory = new MemoryLimits({ maxNames: 100_000 }, clock);
  return redis === undefined ? memory : RedisLimits.open(redis, { clock, log, standIn: memory });
}

function watchShared(limits: RedisLimits, metrics: Metrics): void {
  metrics.watchGauge("tongate_limits_shared", "Whether Redis counts requests (1), or this process alone (0).", () =>
    limits.metrics.isShared ? 1 : 0,
  );
  metrics.watchCounter(
    "tongate_limits_fallback_total",
    "Requests counted by this process alone, because Redis did not answer.",
    () => limits.metrics.countedAlone,
  );
}

function gateOptions(config: AppConfig, network: string) {
  const plans = new Map(Object.entries(config.plans).map(([name, plan]) => [name, rateOf(plan)]));
  return { network, plans, keyless: rateOf({ perSecond: config.keyless, burst: 1 }) };
}

function uncounted(network: string) {
  return { network, plans: new Map<string, Rate>(), keyless: rateOf({ perSecond: "unlimited", burst: 1 }) };
}

function rateOf({ perSecond, burst }: PlanSetting): Rate {
  return { perSecond: perSecond === "unlimited" ? Number.POSITIVE_INFINITY : perSecond, burst };
}
