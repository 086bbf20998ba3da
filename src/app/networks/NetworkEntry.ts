import type { Coin } from "../NetworkPlan.ts";

/** The shipped data of a network. */
export interface NetworkEntry {
  /** As the network's own documents have it. */
  readonly coin: Coin;
  /** Root hash and file hash. */
  readonly zeroState: string;
  /** Seqno, root hash and file hash. */
  readonly initBlock: string;
  /** `host:port key`, each. */
  readonly liteServers: readonly string[];
}
