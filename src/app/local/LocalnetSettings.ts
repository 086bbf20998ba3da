import type { NetworkVersion } from "../../localnet/ledger/networkVersion.ts";
import type { ShardCount } from "../../localnet/ledger/shardCount.ts";
import type { LocalnetOptions } from "../../localnet/network/LocalnetOptions.ts";
import type { DemoChoice } from "./openDemo.ts";

/** The settings of a local network. */
export interface LocalnetSettings {
  readonly pace: LocalnetOptions["pace"];
  readonly folder: string;
  readonly port: number;
  readonly seed: string;
  /** The number of basechain shards of a new chain. */
  readonly shards: ShardCount | undefined;
  /** The global version of a new chain. */
  readonly globalVersion: NetworkVersion | undefined;
  /** A chain archive to begin from. */
  readonly restore: string | undefined;
  /** Transfers per second of the traffic generator; 0 for none. */
  readonly traffic: number;
  /** After how many seconds the traffic ends; unset: with the network. */
  readonly trafficSeconds: number | undefined;
  /** Unset: the earlier choice for this chain, or on. */
  readonly demo: DemoChoice | undefined;
  /** Whether to drop blocks after a damaged part of the chain. */
  readonly repair: boolean;
}
