import { ApiError } from "../declare/errors.ts";
import type { Caller } from "./Caller.ts";
import type { ApiKey } from "./keys.ts";
import type { LimitStore, Rate, RateDecision } from "./limits.ts";

/** Finds a key by the secret of the caller; revoked ones are not found. */
export interface KeyFinder {
  find(secret: string): ApiKey | undefined;
}

export interface GatekeeperOptions {
  /** The network whose chain is answered for. */
  readonly network: string;
  /** Rates by the names that keys bear. */
  readonly plans: ReadonlyMap<string, Rate>;
  /** For those without a key. */
  readonly keyless: Rate;
}

/** Who is let in, and how often. */
export interface AccessControl {
  /** Gives the caller, or throws "api/key", "api/network" or "api/limit", in this order. */
  admit(secret: string | undefined, address: () => string): Caller | Promise<Caller>;
  /** Counts one more request of an admitted caller, or throws "api/limit". */
  charge(caller: Caller): Caller | Promise<Caller>;
  /** Whether a key that was accepted is no longer valid; absent where keys do not matter. */
  isRevoked?(secret: string): boolean;
}

/** Lets everybody in, as often as they like: for a network of one's own, on one's own machine. */
export const openAccess: AccessControl = {
  admit: (_secret, address) => ({ kind: "open", address: address() }),
  charge: (caller) => caller,
};

/** Lets in by key and rate. */
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
    // Counts in memory are there at once, and so is the caller then.
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
