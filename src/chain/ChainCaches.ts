import { weighCells } from "../cell/weighCells.ts";
import { Inflight } from "../lib/inflight.ts";
import { Lru } from "../lib/lru.ts";
import type { ConfigAt } from "../lite/queries/config.ts";
import { KnownShardProofs } from "../lite/queries/KnownShardProofs.ts";
import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import { ExchangeRecorder } from "../lite/server/ExchangeRecorder.ts";
import { KeptExchange } from "../lite/server/KeptExchange.ts";
import type { LiteServer, TypedAskOptions } from "../lite/server/LiteServer.ts";
import type { RecordBudget } from "../lite/server/RecordBudget.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
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

/** A value with the exchanges that it was computed from: they are its proof for requests that ask for one. */
interface Computed<T> {
  readonly value: T;
  readonly exchanges: readonly KeptExchange[];
}

/** The request that needs a value. */
interface Asker {
  readonly server: LiteServer;
  readonly asking: TypedAskOptions;
  readonly recorder?: ExchangeRecorder | undefined;
}

/** Computes a value from the answers of a server alone. */
type Compute<T> = (server: LiteServer, asking: TypedAskOptions) => Promise<T>;

function bytesOf(exchanges: readonly KeptExchange[]): number {
  return exchanges.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Cached data per block, for the few blocks that requests use; all of it is immutable. */
export class ByBlock<T> {
  readonly #kept: Lru<string, Computed<T>>;
  readonly #flights = new Inflight<string, Computed<T>>();
  readonly #budget: RecordBudget | undefined;

  /** With a budget, the answers of a value count in it while the value is computed: for values of proofs alone. */
  constructor(maxBytes: number, weigh: (value: T) => number, budget?: RecordBudget) {
    this.#budget = budget;
    this.#kept = new Lru({ maxBytes, sizeOf: ({ value, exchanges }) => weigh(value) + bytesOf(exchanges) });
  }

  /** The value of a block by its root hash; concurrent callers share one load, and each records its exchanges. */
  async get({ server, asking, recorder }: Asker, block: string, compute: Compute<T>): Promise<T> {
    const found = this.#kept.find(block) ?? (await this.#load(block, compute, server, asking));
    if (recorder !== undefined) for (const exchange of found.exchanges) recorder.add(exchange);
    return found.value;
  }

  async #load(block: string, compute: Compute<T>, server: LiteServer, asking: TypedAskOptions): Promise<Computed<T>> {
    const fetch = async (signal: AbortSignal): Promise<Computed<T>> => {
      const recorder = new ExchangeRecorder(server, this.#budget);
      try {
        const value = await compute(recorder, { ...asking, signal });
        return { value, exchanges: recorder.exchanges.map((exchange) => new KeptExchange(exchange)) };
      } finally {
        recorder.release();
      }
    };
    const computed = await this.#flights.share(block, fetch, asking.signal);
    this.#kept.set(block, computed);
    return computed;
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
  /** Heads proved from a block that receivers of proofs trust, by both blocks. */
  readonly headProofs: ByBlock<TrustedHead>;
  /** The blocks that receivers of proofs trust, by seqno. */
  readonly startBlocks: ByBlock<BlockIdExt>;
  readonly shardProofs: KnownShardProofs;
  readonly codeBags: CodeBags;

  constructor(cellBytes = usualCellBytes, records?: RecordBudget) {
    const share = cellBytes / 4;
    this.configs = new ByBlock(share, ({ config }) => weighConfig(config));
    this.runSettings = new ByBlock(share, ({ config }) => weighConfig(config));
    this.shardProofs = new KnownShardProofs(share);
    this.codeBags = new CodeBags(share / 2);
    this.suspended = new ByBlock(share / 4, weighSuspended);
    this.stateHashes = new ByBlock(share / 4, () => hashBytes);
    this.headProofs = new ByBlock(share, () => hashBytes, records);
    this.startBlocks = new ByBlock(share / 8, () => hashBytes);
  }

  clear(): void {
    const byBlock = [
      this.configs,
      this.suspended,
      this.runSettings,
      this.stateHashes,
      this.headProofs,
      this.startBlocks,
    ];
    for (const cache of [...byBlock, this.shardProofs, this.codeBags]) cache.clear();
  }
}
