import { Inflight } from "../lib/inflight.ts";
import { Lru } from "../lib/lru.ts";
import type { ConfigAt } from "../lite/queries/config.ts";
import { KnownShardProofs } from "../lite/queries/KnownShardProofs.ts";
import type { Config } from "../model/config/ConfigParams.ts";
import type { SuspendedAddressList } from "../model/config/contracts.ts";
import type { Hash } from "../model/Hash.ts";
import type { VmStackValue } from "../model/vm/VmStack.ts";
import { CodeBags } from "./CodeBags.ts";

/** The environment of code that runs now. */
export interface RunSettings {
  readonly config: Config;
  /** The masterchain blocks that code may access, up to the newest one. */
  readonly previousBlocks: VmStackValue;
}

/** Cached data per block, for the few blocks that requests use; all of it is immutable. */
export class ByBlock<T> {
  readonly #kept: Lru<Hash, { readonly value: T }>;
  readonly #flights = new Inflight<Hash, T>();

  constructor(maxBlocks: number) {
    this.#kept = new Lru({ maxBytes: maxBlocks, sizeOf: () => 1 });
  }

  /** The value of a block by its root hash; concurrent callers share one load. */
  async get(block: Hash, fetch: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const kept = this.#kept.find(block);
    if (kept !== undefined) return kept.value;
    const value = await this.#flights.share(block, fetch, signal);
    this.#kept.set(block, { value });
    return value;
  }

  clear(): void {
    this.#kept.clear();
  }
}

/**
 * Data of masterchain blocks and codes that many requests need; bounded, and shared by all callers because it is
 * proved.
 */
export class ChainCaches {
  readonly configs = new ByBlock<ConfigAt>(8);
  readonly suspended = new ByBlock<SuspendedAddressList | undefined>(64);
  readonly runSettings = new ByBlock<RunSettings>(8);
  readonly stateHashes = new ByBlock<Hash>(64);
  readonly shardProofs = new KnownShardProofs();
  readonly codeBags = new CodeBags();

  clear(): void {
    const byBlock = [this.configs, this.suspended, this.runSettings, this.stateHashes];
    for (const cache of [...byBlock, this.shardProofs, this.codeBags]) cache.clear();
  }
}
