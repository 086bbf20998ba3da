import type { Cell } from "../cell/Cell.ts";
import type { Clock } from "../lib/clock.ts";
import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import { ExchangeRecorder } from "../lite/server/ExchangeRecorder.ts";
import type { LiteServer } from "../lite/server/LiteServer.ts";
import { RecordBudget, type RecordLimits } from "../lite/server/RecordBudget.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import type { Executor } from "../tvm/Executor.ts";
import type { Chain } from "./Chain.ts";
import { ChainCaches } from "./ChainCaches.ts";
import type { SendStatus, SentMessage } from "./SentMessage.ts";

/** Whether private servers, reserved for callers with a key, may be used. */
export type ChainAccess = "public" | "private";

/** One server for one request, and the indices of those that answered. */
export interface RequestServer {
  readonly server: LiteServer;
  readonly askedServers: () => readonly number[];
}

/** Where requests get servers and the newest block: a pool, the local network, a recording. */
export interface ChainSource {
  pin(access: ChainAccess): RequestServer;
  /** The newest proved masterchain block; throws `lite/none` while none is known. */
  head(access: ChainAccess): TrustedHead;
}

/** Called with every message that a server accepted; returns immediately and never fails. */
export type SentListener = (message: Cell, sent: SentMessage, access: ChainAccess) => void;

/** Called with every step of a message on its way to the servers; returns at once and never fails. */
export type SendingListener = (sent: SentMessage, status: SendStatus) => void;

export interface LiveChainsModules {
  readonly source: ChainSource;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly zeroState: BlockIdExt;
  /** The block from which everybody begins to trust the chain; the zero state by default. */
  readonly initBlock?: BlockIdExt;
  readonly onSent?: SentListener;
  readonly onSending?: SendingListener;
  /** Memory for cached cells. */
  readonly cellBytes?: number;
  /** Memory for the proofs of answers that are being made. */
  readonly recordLimits?: RecordLimits;
}

/** The request for which the chain is opened. */
export interface Opening extends Pick<Chain, "onBlock"> {
  readonly access: ChainAccess;
  readonly signal: AbortSignal;
  /** The caller, for sharing the executor fairly; anonymous when absent. */
  readonly caller?: string | undefined;
  /** Keeps the answers of the server in `recorder`, which the caller releases. */
  readonly isRecorded?: boolean;
}

/** Opens the chain for each request, and keeps the shared caches. */
export class LiveChains {
  readonly caches: ChainCaches;
  /** Of the proofs of answers that are being made. */
  readonly records: RecordBudget;
  readonly #modules: LiveChainsModules;

  constructor(modules: LiveChainsModules) {
    this.#modules = modules;
    this.records = new RecordBudget(modules.recordLimits);
    this.caches = new ChainCaches(modules.cellBytes, this.records);
  }

  open({ access, signal, caller, onBlock, isRecorded = false }: Opening): Chain {
    const { source, executor, clock, zeroState, initBlock = zeroState, onSent, onSending } = this.#modules;
    const { server, askedServers } = source.pin(access);
    const recorder = isRecorded ? new ExchangeRecorder(server, this.records) : undefined;
    return {
      server: recorder ?? server,
      recorder,
      head: source.head(access),
      zeroState,
      initBlock,
      executor,
      caller,
      caches: this.caches,
      asking: { signal, access },
      nowAt: () => Math.floor(clock.now() / 1000),
      askedServers,
      onBlock,
      onSent: onSent && ((message, sent) => onSent(message, sent, access)),
      onSending,
    };
  }
}
