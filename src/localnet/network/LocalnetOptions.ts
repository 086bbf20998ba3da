import type { Clock } from "../../lib/clock.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import type { Log } from "../../lib/log.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { ForkOptions, ForkOrigin } from "../fork/fetchBase.ts";
import type { NetworkVersion } from "../ledger/networkVersion.ts";
import type { ShardCount } from "../ledger/shardCount.ts";
import type { MempoolOptions } from "../rounds/Mempool.ts";
import type { RoundPace } from "../rounds/RoundLoop.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";

export interface LocalnetOptions {
  /** The source of everything that is not given: keys, zero states, randomness in blocks. */
  readonly seed: string;
  readonly pace: RoundPace;
  /** The folder of the chain; in memory by default. */
  readonly folder?: string;
  /** The network id; by default that of no known network. */
  readonly globalId?: number;
  /** The initial number of basechain shards; one, or that of the folder, by default. */
  readonly shards?: ShardCount | undefined;
  /**
   * A new chain begins so much earlier than now. While it has not lived so long, its clock goes on from its newest
   * block, until that is told to catch up; 0 by default.
   */
  readonly historySeconds?: number;
  /** The initial global version; that of the main network, or of the folder, by default. */
  readonly globalVersion?: NetworkVersion | undefined;
  readonly mempool?: MempoolOptions;
  /** Whether to give up damaged and missing blocks of the folder; otherwise such a folder is refused. */
  readonly repair?: boolean;
  /** Called before the first block is given up. */
  readonly onGiveUp?: () => void;
  /** Memory for cached blocks and states, and for proofs; 64 and 16 MB by default. */
  readonly cellBytes?: number;
  readonly proofBytes?: number;
  /** The network that a new chain continues, or that a stored fork goes on to ask. */
  readonly fork?: (ForkOptions & { readonly origin: ForkOrigin }) | undefined;
  /** The keys of the seed, if already derived: deriving them takes a second. */
  readonly keys?: NetworkKeys;
}

export interface LocalnetModules {
  readonly clock: Clock;
  readonly executor: Executor;
  readonly log: Log;
  /** The files of the chain; those of the system by default. */
  readonly files?: FileSystem;
}
