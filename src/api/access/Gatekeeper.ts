import { ApiError } from "../declare/errors.ts";
import type { Caller } from "./Caller.ts";
import type { ApiKey } from "./keys.ts";
import type { LimitStore, Rate, RateDecision } from "./limits.ts";

/** Finds a key by the caller's secret; revoked keys are not found. */
export interface KeyFinder {
  find(secret: string): ApiKey | undefined;
}

export interface GatekeeperOptions {
  /** The served network. */
  readonly network: string;
  /** Rates by the plan names of keys. */
  readonly plans: ReadonlyMap<string, Rate>;
  /** The rate of callers without a key. */
  readonly keyless: Rate;
}

/** Decides who is admitted, and how often. */
export interface AccessControl {
  /** Returns the caller, or throws "api/key", "api/network" or "api/limit", in this order. */
  admit(secret: string | undefined, address: () => string): Caller | Promise<Caller>;
  /** Counts one more request of an admitted caller, or throws "api/limit". */
  charge(caller: Caller): Caller | Promise<Caller>;
  /** Whether an accepted key is no longer valid; absent if keys do not matter. */
  isRevoked?(secret: string): boolean;
}

/** Admits everybody without limits: for a local network on the user's own machine. */
export const openAccess: AccessControl = {
  admit: (_secret, address) => ({ kind: "open", address: address() }),
  charge: (caller) => caller,
};

/** Admits by key and rate. */
export class Gatekeeper implements AccessControl {
  readonly #options: GatekeeperOptions;
  readonly #keys: KeyFinder;
  readonly #limits: LimitStore;

  constructor(options: GatekeeperOptions, keys: KeyFinder, limits: LimitStore) {
    this.#options = options;
    this.#keys = keys;
    this.#limits = limits;
  }

  admit(secret: string | undefined, address: () => string): Caller | Promise<Caller> {
    return this.charge(secret === undefined ? { kind: "keyless", address: address() } : this.#callerOf(secret));
  }

  charge(caller: Caller): Caller | Promise<Caller> {
    if (caller.kind === "open") return caller;
    const { network } = this.#options;
    const name = caller.kind === "key" ? `owner:${network}:${caller.owner}` : `address:${network}:${caller.address}`;
    const rate = this.#rateOf(caller);
    if (rate === undefined) return caller;
    const verdict = this.#limits.take(name, rate);
    // Counters in memory answer synchronously, and so does admission then.
    return verdict instanceof Promise
      ? verdict.then((late) => judge(late, rate, caller))
      : judge(verdict, rate, caller);
  }

  isRevoked(secret: string): boolean {
    return this.#keys.find(secret) === undefined;
  }

  #callerOf(secret: string): Caller {
    const key = this.#keys.find(secret);
    if (key === undefined) throw new ApiError("api/key", "API key does not exist");
    const { network } = this.#options;
    if (!key.networks.includes(network) && !key.networks.includes("*"))
      throw new ApiError("api/network", "Network not allowed", { data: { network, allowed: key.networks } });
    return { kind: "key", owner: key.owner, keyName: key.name, plan: key.plan };
  }

  /** A plan that is no longer configured counts as no plan: the caller is known, but has no rate. */
  #rateOf(caller: Exclude<Caller, { readonly kind: "open" }>): Rate | undefined {
    const { plans, keyless } = this.#options;
    const rate = caller.kind === "key" ? (plans.get(caller.plan) ?? keyless) : keyless;
    return Number.isFinite(rate.perSecond) ? rate : undefined;
  }
}

function judge(verdict: RateDecision, rate: Rate, caller: Caller): Caller {
  if (!verdict.isAllowed) throw new ApiError("api/limit", "Ratelimit exceeded", { data: { ...verdict, ...rate } });
  return caller;
}
