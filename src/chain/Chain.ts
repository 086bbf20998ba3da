import type { Cell } from "../cell/Cell.ts";
import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import type { ExchangeRecorder } from "../lite/server/ExchangeRecorder.ts";
import type { LiteServer, TypedAskOptions } from "../lite/server/LiteServer.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import type { Executor } from "../tvm/Executor.ts";
import type { ChainCaches } from "./ChainCaches.ts";
import type { SendStatus, SentMessage } from "./SentMessage.ts";

/**
 * The chain for one request: one server and one newest masterchain block, so that an answer made of several queries is
 * consistent. Every function of this room takes it first.
 */
export interface Chain {
  readonly server: LiteServer;
  /** The server, where its answers are kept as the proof of the answer to the request. */
  readonly recorder?: ExchangeRecorder | undefined;
  /** The newest block when the request began; proved. */
  readonly head: TrustedHead;
  readonly zeroState: BlockIdExt;
  /** The block from which everybody begins to trust the chain. */
  readonly initBlock: BlockIdExt;
  readonly executor: Executor;
  /** The caller, for sharing the executor fairly. */
  readonly caller?: string | undefined;
  readonly caches: ChainCaches;
  /** Passed with every query. */
  readonly asking: TypedAskOptions;
  /** Unix seconds by our own clock. */
  readonly nowAt: () => number;
  /** Indices in the configuration of the servers that have answered so far. */
  readonly askedServers: () => readonly number[];
  /**
   * Called with the masterchain block that is read when the caller gives a seqno; returns immediately and never fails.
   */
  readonly onBlock?: ((block: BlockIdExt) => void) | undefined;
  /** Called with every message that a server accepted; returns immediately and never fails. */
  readonly onSent?: ((message: Cell, sent: SentMessage) => void) | undefined;
  /** Called with every step of a message on its way to the servers; returns at once and never fails. */
  readonly onSending?: ((sent: SentMessage, status: SendStatus) => void) | undefined;
}
