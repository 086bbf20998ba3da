import type { Clock } from "../lib/clock.ts";
import type { LiteServer } from "../lite/LiteServer.ts";
import type { Head } from "../lite/queries/TrustedChain.ts";
import type { BlockIdExt } from "../model/BlockId.ts";
import type { Executor } from "../tvm/Executor.ts";
import type { Chain } from "./Chain.ts";
import { ChainCaches } from "./ChainCaches.ts";

/** Whether servers kept for callers with a key may be asked. */
export type Access = "public" | "private";

/** One server for one request, and the numbers of those that answered in its name. */
export interface RequestServer {
  readonly server: LiteServer;
  readonly askedServers: () => readonly number[];
}

/** Where requests find servers and the newest block: a pool, the local network, a recording. */
export interface ChainSource {
  pin(access: Access): RequestServer;
  /** The newest proved masterchain block; throws `lite/none` while none is known. */
  head(access: Access): Head;
}

export interface LiveChainsModules {
  readonly source: ChainSource;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly zeroState: BlockIdExt;
}

/** Opens the chain for each request, and keeps what requests have in common. */
export class LiveChains {
  readonly caches = new ChainCaches();
  readonly #modules: LiveChainsModules;

  constructor(modules: LiveChainsModules) {
    this.#modules = modules;
  }

  open({ access, signal }: { readonly access: Access; readonly signal: AbortSignal }): Chain {
    const { source, executor, clock, zeroState } = this.#modules;
    const { server, askedServers } = source.pin(access);
    return {
      server,
      head: source.head(access),
      zeroState,
      executor,
      caches: this.caches,
      asking: { signal, access },
      nowAt: () => Math.floor(clock.now() / 1000),
      askedServers,
    };
  }
}
