import type { Cell } from "../cell/Cell.ts";
import type { LiteServer, TypedAskOptions } from "../lite/LiteServer.ts";
import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import type { Executor } from "../tvm/Executor.ts";
import type { ChainCaches } from "./ChainCaches.ts";
import type { SentMessage } from "./SentMessage.ts";

/**
 * The chain as one request sees it: one server, one masterchain block that "now" means, so that an answer made of several
 * queries is never a mix. Every function of this room takes it first.
 */
export interface Chain {
  readonly server: LiteServer;
  /** The newest block when the request began; proved. */
  readonly head: TrustedHead;
  readonly zeroState: BlockIdExt;
  readonly executor: Executor;
  /** Whose request it is: a fairness key for runs of code. */
  readonly caller?: string | undefined;
  readonly caches: ChainCaches;
  /** Goes with every query. */
  readonly asking: TypedAskOptions;
  /** Unix seconds by our own clock. */
  readonly nowAt: () => number;
  /** Numbers of the servers that have answered so far, by their place in the configuration. */
  readonly askedServers: () => readonly number[];
  /** Called with which masterchain block is read where one is asked for by number; returns at once and never fails. */
  readonly onBlock?: ((block: BlockIdExt) => void) | undefined;
  /** Called with every message that a server took; returns at once and never fails. */
  readonly onSent?: ((message: Cell, sent: SentMessage) => void) | undefined;
}
