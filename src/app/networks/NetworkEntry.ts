import type { Coin } from "../NetworkPlan.ts";

/** The shipped data of a network. */
export interface NetworkEntry {
  /** As the network's own documents have it. */
  readonly coin: Coin;
  /** `host:port key`, each. */
  readonly liteServers: readonly string[];
}
