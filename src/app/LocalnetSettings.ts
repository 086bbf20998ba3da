import type { LocalnetOptions } from "../localnet/Localnet.ts";
import type { NetworkVersion } from "../localnet/networkVersion.ts";
import type { ShardCount } from "../localnet/shardCount.ts";
import type { DemoChoice } from "./openDemo.ts";

/** How a local network is run. */
export interface LocalnetSettings {
  readonly pace: LocalnetOptions["pace"];
  readonly folder: string;
  readonly port: number;
  readonly seed: string;
  /** In how many shards the basechain of a new chain is. */
  readonly shards: ShardCount | undefined;
  /** The global version of a new chain. */
  readonly globalVersion: NetworkVersion | undefined;
  /** A file that a chain was written to, which this one begins from. */
  readonly restore: string | undefined;
  /** Transfers a second that the traffic generator makes; 0 for none. */
  readonly traffic: number;
  readonly demo: DemoChoice;
  /** Whether to give up blocks behind a damaged part of the chain. */
  readonly repair: boolean;
}
