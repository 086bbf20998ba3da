import { type Access, Gatekeeper, openAccess } from "../api/access/Gatekeeper.ts";
import { KeyFile } from "../api/access/KeyFile.ts";
import { KeyRing } from "../api/access/KeyRing.ts";
import { MemoryLimits, type Rate } from "../api/access/limits.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Config, PlanSetting } from "./config.ts";

const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

/** Who may ask: everybody where only this machine can, and by key and rate elsewhere or when told to. */
export function accessFor(config: Config, log: Log): { readonly access: Access; close(): Promise<void> } {
  const isOpen = config.limits === "off" || (config.limits === "auto" && loopback.has(config.host));
  if (isOpen) return { access: openAccess, close: async () => {} };
  const ring = KeyRing.open(new KeyFile(config.data), { clock: systemClock, log });
  const plans = new Map(Object.entries(config.plans).map(([name, plan]) => [name, rateOf(plan)]));
  const keyless = rateOf({ perSecond: config.keyless, burst: 1 });
  const options = { network: config.network, plans, keyless };
  return {
    access: new Gatekeeper(options, ring, new MemoryLimits({ maxNames: 100_000 }, systemClock)),
    close: async () => ring.close(),
  };
}

function rateOf({ perSecond, burst }: PlanSetting): Rate {
  return { perSecond: perSecond === "unlimited" ? Number.POSITIVE_INFINITY : perSecond, burst };
}
