import { Inflight } from "../lib/inflight.ts";
import { Lru } from "../lib/lru.ts";
import { ExchangeRecorder } from "../lite/server/ExchangeRecorder.ts";
import { KeptExchange } from "../lite/server/KeptExchange.ts";
import type { LiteServer, TypedAskOptions } from "../lite/server/LiteServer.ts";
import type { RecordBudget } from "../lite/server/RecordBudget.ts";

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

function takeValue<T>({ value, exchanges }: Computed<T>, recorder: Asker["recorder"]): T {
  if (recorder !== undefined) for (const exchange of exchanges) recorder.add(exchange);
  return value;
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
    return takeValue(this.#kept.find(block) ?? (await this.#load(block, compute, server, asking)), recorder);
  }

  /** The same of a value that is kept; undefined for others. */
  find({ recorder }: Pick<Asker, "recorder">, block: string): T | undefined {
    const found = this.#kept.find(block);
    return found && takeValue(found, recorder);
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
