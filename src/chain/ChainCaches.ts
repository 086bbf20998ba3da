import { weighCells } from "../cell/weighCells.ts";
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

/** Memory for all of them, unless the owner says otherwise. */
const usualCellBytes = 16 << 20;
/** Memory of a hash by block. */
const hashBytes = 500;

/** A configuration keeps the answer alive that it was read from; each of its parameters is a cell of it. */
function weighConfig({ params }: Config): number {
  return hashBytes + weighCells(params.findFirst()?.[1]);
}

function weighSuspended(list: SuspendedAddressList | undefined): number {
  return hashBytes + weighCells(list?.addresses.root);
}

/** Cached data per block, for the few blocks that requests use; all of it is immutable. */
export class ByBlock<T> {
  readonly #kept: Lru<Hash, { readonly value: T }>;
  readonly #flights = new Inflight<Hash, T>();

  constructor(maxBytes: number, weigh: (value: T) => number) {
    this.#kept = new Lru({ maxBytes, sizeOf: ({ value }) => weigh(value) });
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
  readonly configs: ByBlock<ConfigAt>;
  readonly suspended: ByBlock<SuspendedAddressList | undefined>;
  readonly runSettings: ByBlock<RunSettings>;
  readonly stateHashes: ByBlock<Hash>;
  readonly shardProofs: KnownShardProofs;
  readonly codeBags: CodeBags;

  constructor(cellBytes = usualCellBytes) {
    const share = cellBytes / 4;
    this.configs = new ByBlock(share, ({ config }) => weighConfig(config));
    this.runSettings = new ByBlock(share, ({ config }) => weighConfig(config));
    this.shardProofs = new KnownShardProofs(share);
    this.codeBags = new CodeBags(share / 2);
    this.suspended = new ByBlock(share / 4, weighSuspended);
    this.stateHashes = new ByBlock(share / 4, () => hashBytes);
  }

  clear(): void {
    const byBlock = [this.configs, this.suspended, this.runSettings, this.stateHashes];
    for (const cache of [...byBlock, this.shardProofs, this.codeBags]) cache.clear();
  }
}
