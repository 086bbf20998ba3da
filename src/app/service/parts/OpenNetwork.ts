import type { Answers } from "../../../api/http/answers/Answers.ts";
import type { Metrics } from "../../../api/metrics.ts";
import type { ReadinessCheck } from "../../../api/readiness.ts";
import type { ChainSource } from "../../../chain/LiveChains.ts";
import type { ArrivedAccounts } from "../../../history/ingest/states/ArrivedAccounts.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { TrustedHead } from "../../../lite/queries/TrustedChain.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import type { LocalOffer } from "../../../localnet/offer/LocalOffer.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { Executor } from "../../../tvm/Executor.ts";
import type { AppConfig } from "../../config.ts";
import type { RemotePlan } from "../../NetworkPlan.ts";
import type { ScreenRow } from "../../terminal/screen.ts";
import type { Style } from "../../terminal/style.ts";

/** A displayed fact about a part: a label, its text, and a note that may be left out. */
export type WelcomeLine = ScreenRow;

/** A change of what a network is made from. */
export interface Change {
  readonly undo: () => Promise<void>;
}

export type Reopen = (change: () => Promise<Change>) => Promise<OpenNetwork>;

/** Modules shared by all networks of a process. */
export interface NetworkModules {
  /** How many lite clients a local network takes; absent for a process that serves nobody else. */
  readonly liteClients?: number;
  readonly config: AppConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly executor: Executor;
  /** What all answers of the process share; API versions that are served alone make their own. */
  readonly answers?: Answers;
  /** Prints messages while a network starts, after the start message. */
  readonly write: (text: string) => void;
  /**
   * Closes the network and its parts, changes what it is made from, and opens it again while the server listens; only a
   * server can. If the changed one cannot be opened, the change is undone.
   */
  readonly reopen?: Reopen;
}

/** A running network, of any kind. */
export interface OpenNetwork {
  /** Its name in keys, logs and messages. */
  readonly name: string;
  /** Whether heads are accepted without proof. */
  readonly proofs: "check" | "trust";
  readonly zeroState: BlockIdExt;
  /** Where requests get servers and the newest block. */
  readonly source: ChainSource;
  /** All servers as one, for our own queries; closed with the network. */
  readonly lite: LiteServer;
  /** The same one by one. */
  readonly servers: readonly { readonly name: string; readonly server: LiteServer }[];
  /** Seqno of the newest block; −1 while none is known. */
  readonly headSeqno: () => number;
  /** The head epoch: changes with every new head that any caller may get. */
  readonly headEpoch: () => number;
  /** The current head and each later one. */
  readonly heads: (signal: AbortSignal) => AsyncIterable<TrustedHead>;
  /** How the network is reached, for threads that open it again; absent for a network of this process. */
  readonly plan?: RemotePlan;
  /** The features of a local network; absent for others. */
  readonly local?: LocalOffer;
  /** The accounts that a fork has of its origin; absent for others. */
  readonly arrived?: ArrivedAccounts | undefined;
  /**
   * The root hash of a masterchain block; only of a network whose blocks are all here, which an index must not exceed.
   */
  readonly findRootHash?: (seqno: number) => Hash | undefined;
  /** Whether its index must be made again, and how to say that it was; only a local network goes back. */
  readonly indexReset?: { readonly isOrdered: () => boolean; readonly done: () => void };
  /** Whether a server can be used. */
  readonly isLive: () => boolean;
  readonly checks: readonly ReadinessCheck[];
  /** Facts for the status page, by name. */
  readonly facts: () => readonly (readonly [name: string, value: string])[];
  /** Adds its own metrics. */
  readonly watch: (metrics: Metrics) => void;
  /** Ends when it is known whether a server can be reached; absent for a network of this process. */
  readonly reached?: Promise<void>;
  /** The start message of the network at an address, with the lines of its parts. */
  readonly welcome: (origin: string, more: readonly WelcomeLine[], style: Style) => string;
  /** Makes what people are not kept waiting for; ends early when the network is closed. */
  readonly prepare?: () => Promise<void>;
  close(): Promise<void>;
}
