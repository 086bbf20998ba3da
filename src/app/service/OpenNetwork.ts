import type { Metrics } from "../../api/metrics.ts";
import type { ReadinessCheck } from "../../api/readiness.ts";
import type { ChainSource } from "../../chain/LiveChains.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { LiteServer } from "../../lite/LiteServer.ts";
import type { TrustedHead } from "../../lite/queries/TrustedChain.ts";
import type { LocalOffer } from "../../localnet/LocalOffer.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { AppConfig } from "../config.ts";

/** What people are told of a part: a word, and what it means. */
export type WelcomeLine = readonly [name: string, text: string];

/** What all networks of a process share. */
export interface NetworkModules {
  readonly config: AppConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly executor: Executor;
  /** Where people are told what happens while a network starts, once they know where it is. */
  readonly write: (text: string) => void;
  /** Where people are told at once what they wait for. */
  readonly tell: (text: string) => void;
}

/** A network that runs and can be asked, wherever its blocks come from. */
export interface OpenNetwork {
  /** By which keys, logs and people know it. */
  readonly name: string;
  /** Whether heads are believed without proof. */
  readonly proofs: "check" | "trust";
  readonly zeroState: BlockIdExt;
  /** Where requests find servers and the newest block. */
  readonly source: ChainSource;
  /** All servers as one, for our own questions; it is closed with the network. */
  readonly lite: LiteServer;
  /** Seqno of the newest block; −1 while none is known. */
  readonly headSeqno: () => number;
  /** A number that changes with every newest block that anybody may be answered from: how long such answers are kept. */
  readonly generation: () => number;
  /** The newest block now and each later one. */
  readonly heads: (signal: AbortSignal) => AsyncIterable<TrustedHead>;
  /** What it has for people; only a local network has. */
  readonly local?: LocalOffer;
  /** Whether there is a server that can be asked. */
  readonly isLive: () => boolean;
  readonly checks: readonly ReadinessCheck[];
  /** What a page says of it now, each by its name. */
  readonly facts: () => readonly (readonly [name: string, value: string])[];
  /** Shows figures of its own. */
  readonly watch: (metrics: Metrics) => void;
  /** What people are told when it is served under an address, with what its parts add. */
  readonly welcome: (origin: string, more: readonly WelcomeLine[]) => string;
  close(): Promise<void>;
}
