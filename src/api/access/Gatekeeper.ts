import type { Caller } from "../declare/Caller.ts";
import { ApiError } from "../declare/errors.ts";
import { siteName } from "./clientAddress.ts";
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

/** What is served besides API versions: pages, documents and unknown paths, or metrics. */
export type PageKind = "page" | "metrics";

/** A page of the explorer loads some dozen files. */
const pageRates: Readonly<Record<PageKind, Rate>> = {
  page: { perSecond: 50, burst: 300 },
  metrics: { perSecond: 5, burst: 20 },
};
/** Refused keys of one client: a client with an old key reads why, and guesses cost something. */
const refusedKeyRate: Rate = { perSecond: 10, burst: 100 };
/** How many times the rate of one network of clients a site, which has 65,536 of them, has. */
const siteFactor = 16;

interface Counter {
  readonly name: string;
  readonly rate: Rate;
}

/** Decides who is admitted, and how often. */
export interface AccessControl {
  /**
   * Returns the caller, or throws "api/key", "api/network" or "api/limit", in this order; clients with too many refused
   * keys get "api/limit" too.
   */
  admit(secret: string | undefined, address: () => string): Caller | Promise<Caller>;
  /** Counts one more request of an admitted caller, or throws "api/limit". */
  charge(caller: Caller): Caller | Promise<Caller>;
  /**
   * Counts as many more for a request that was admitted and does the work of several; never refuses, so that every rate
   * has room for it, and the next requests of the caller wait.
   */
  addWeight(caller: Caller, count: number): void | Promise<void>;
  /** Counts a request for something besides an API version, or throws "api/limit"; absent if nothing is counted. */
  admitPage?(kind: PageKind, address: () => string): void | Promise<void>;
  /** What callers without a key are, where admission never waits; absent where it may. */
  readonly immediateKind?: "open" | "keyless" | undefined;
  /** Whether an accepted key is no longer valid; absent if keys do not matter. */
  isRevoked?(secret: string): boolean;
}

/** Admits everybody without limits: for a local network on the user's own machine. */
export const openAccess: AccessControl = {
  immediateKind: "open",
  admit: (_secret, address) => ({ kind: "open", address: address() }),
  charge: (caller) => caller,
  addWeight: () => {},
};

export interface GatekeeperModules {
  readonly keys: KeyFinder;
  readonly limits: LimitStore;
}

/** Admits by key and rate. */
export class Gatekeeper implements AccessControl {
  readonly #options: GatekeeperOptions;
  readonly #modules: GatekeeperModules;

  constructor(options: GatekeeperOptions, modules: GatekeeperModules) {
    this.#options = options;
    this.#modules = modules;
  }

  get immediateKind(): "keyless" | undefined {
    return this.#modules.limits.isImmediate ? "keyless" : undefined;
  }

  admit(secret: string | undefined, address: () => string): Caller | Promise<Caller> {
    if (secret === undefined) return this.charge({ kind: "keyless", address: address() });
    const caller = this.#findCaller(secret);
    if (!(caller instanceof ApiError)) return this.charge(caller);
    const counted = this.#countClient("refused", address, refusedKeyRate);
    if (!(counted instanceof Promise)) throw caller;
    return counted.then(() => {
      throw caller;
    });
  }

  charge(caller: Caller): Caller | Promise<Caller> {
    const [own, site] = this.#countersOf(caller);
    if (own === undefined) return caller;
    const taken = this.#take(own.name, own.rate, caller);
    if (site === undefined) return taken;
    const takeSite = () => this.#take(site.name, site.rate, caller);
    return taken instanceof Promise ? taken.then(takeSite) : takeSite();
  }

  addWeight(caller: Caller, count: number): void | Promise<void> {
    if (count <= 0) return;
    const added = this.#countersOf(caller).map(({ name, rate }) => this.#modules.limits.add(name, rate, count));
    if (added.some((each) => each instanceof Promise)) return Promise.all(added).then(() => {});
  }

  /** What counts the requests of a caller: none without a limit; the site of an address after the address. */
  #countersOf(caller: Caller): readonly Counter[] {
    const rate = caller.kind === "open" ? undefined : this.#rateOf(caller);
    if (caller.kind === "open" || rate === undefined) return [];
    const { network } = this.#options;
    if (caller.kind === "key") return [{ name: `owner:${network}:${caller.owner}`, rate }];
    const own = { name: `address:${network}:${caller.address}`, rate };
    const site = siteName(caller.address);
    if (site === undefined) return [own];
    const siteRate = { perSecond: rate.perSecond * siteFactor, burst: Math.max(1, rate.burst) * siteFactor };
    return [own, { name: `site:${network}:${site}`, rate: siteRate }];
  }

  admitPage(kind: PageKind, address: () => string): void | Promise<void> {
    return this.#countClient(kind, address, pageRates[kind]);
  }

  /** Callers without limits have none here either. */
  #countClient(kind: PageKind | "refused", address: () => string, rate: Rate): void | Promise<void> {
    const { network, keyless } = this.#options;
    if (!Number.isFinite(keyless.perSecond)) return;
    const name = address();
    // All clients of a site together: these are rates of programs that misbehave.
    return this.#take(`${kind}:${network}:${siteName(name) ?? name}`, rate, undefined);
  }

  // Counters in memory answer synchronously, and so does admission then.
  #take<T>(name: string, rate: Rate, admitted: T): T | Promise<T> {
    const judge = (verdict: RateDecision): T => {
      if (verdict.isAllowed) return admitted;
      throw new ApiError("api/limit", "Ratelimit exceeded", { data: { ...verdict, ...rate } });
    };
    const verdict = this.#modules.limits.take(name, rate);
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
  }

  isRevoked(secret: string): boolean {
    return this.#modules.keys.find(secret) === undefined;
  }

  #findCaller(secret: string): Caller | ApiError {
    const key = this.#modules.keys.find(secret);
    if (key === undefined) return new ApiError("api/key", "API key does not exist");
    const { network } = this.#options;
    if (!key.networks.includes(network) && !key.networks.includes("*"))
      return new ApiError("api/network", "Network not allowed", { data: { network, allowed: key.networks } });
    return { kind: "key", owner: key.owner, keyName: key.name, plan: key.plan };
  }

  /** A plan that is no longer configured counts as no plan: the caller is known, but has no rate. */
  #rateOf(caller: Exclude<Caller, { readonly kind: "open" }>): Rate | undefined {
    const { plans, keyless } = this.#options;
    const rate = caller.kind === "key" ? (plans.get(caller.plan) ?? keyless) : keyless;
    return Number.isFinite(rate.perSecond) ? rate : undefined;
  }
}
