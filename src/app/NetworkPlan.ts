import type { AdnlAddress } from "../lite/adnl/AdnlClient.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";

/** Where a network is served. */
export interface ListenAddress {
  readonly host: string;
  /** Zero selects any free port. */
  readonly port: number;
  /** The host name of its requests; none: all names that no other network has. */
  readonly hostNames: readonly string[];
}

/** A lite server of a network. */
export interface NetworkServer extends AdnlAddress {
  /** Used only for callers with a key. */
  readonly isPrivate: boolean;
}

/** What the coin of a network is called. */
export interface Coin {
  readonly name: string;
  readonly symbol: string;
}

/** The coin of local networks, and of those that do not name theirs. */
export const defaultCoin: Coin = { name: "Toncoin", symbol: "TON" };

/** A local network. */
export interface LocalPlan {
  readonly kind: "local";
  readonly name: string;
  readonly coin: Coin;
  readonly listen: ListenAddress;
}

/** A network behind lite servers. */
export interface RemotePlan {
  readonly kind: "remote";
  readonly name: string;
  readonly coin: Coin;
  readonly listen: ListenAddress;
  /** The origin of the data, for display. */
  readonly origin: string;
  readonly zeroState: BlockIdExt;
  readonly initBlock: BlockIdExt;
  readonly servers: readonly NetworkServer[];
  /** `trust` accepts heads without proof. */
  readonly proofs: "check" | "trust";
}

/** A network to serve. */
export type NetworkPlan = LocalPlan | RemotePlan;

/** The name of a server: unique within a network. */
export function serverName({ host, port }: AdnlAddress): string {
  return `${host}:${port}`;
}

/** The shipped data of a network. */
export interface NetworkEntry {
  /** As the network's own documents have it. */
  readonly coin: Coin;
  /** `host:port key`, each. */
  readonly liteServers: readonly string[];
}
