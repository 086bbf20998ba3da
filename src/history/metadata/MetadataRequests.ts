import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { MetadataRequest } from "../queries/kit/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import type { Database } from "../store/Database.ts";
import { addresses, int53, texts } from "../store/schema/columns.ts";

export interface MetadataRequestModules {
  readonly database: Pick<Database, "write">;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often the list is written, and how many tokens wait for that. */
const everyMs = 1_000;
const maxWaiting = 10_000;
/** Tokens that were written lately are not written again. */
const maxKnown = 100_000;

/** Tells the writer of the index, which fetches documents, of tokens that requests asked for. */
export class MetadataRequests {
  readonly #modules: MetadataRequestModules;
  readonly #waiting = new Map<string, MetadataRequest>();
  readonly #known = new Set<string>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(modules: MetadataRequestModules) {
    this.#modules = modules;
    this.#running = this.#run();
  }

  /** Requests documents of tokens; returns at once. */
  want(wanted: readonly MetadataRequest[]): void {
    for (const each of wanted) {
      const name = `${each.type} ${each.address}`;
      if (each.type !== "jetton_wallets" && !this.#known.has(name) && this.#waiting.size < maxWaiting)
        this.#waiting.set(name, each);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "the index is closed"));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#modules;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => {});
      await this.#store().catch((error: unknown) =>
        log.debug("requests for token metadata could not be stored", { error }),
      );
    }
  }

  async #store(): Promise<void> {
    const names = [...this.#waiting.keys()];
    if (names.length === 0) return;
    const now = Math.floor(this.#modules.clock.now() / 1000);
    const params = new Params();
    const all = [...this.#waiting.values()];
    const tokens = `unnest(${params.of(
      addresses,
      all.map(({ address }) => address),
    )}, ${params.of(
      texts,
      all.map(({ type }) => type),
    )}) as t(address, type)`;
    const at = params.of(int53, now);
    const { text, params: values } = params.statement(
      `insert into address_metadata (address, type, updated_at, attempts, next_attempt_at)
       select t.address, t.type, ${at}, 0, ${at} from ${tokens} on conflict do nothing`,
    );
    await this.#modules.database.write((session) => session.query(text, values));
    for (const name of names) {
      this.#waiting.delete(name);
      this.#known.add(name);
    }
    for (const name of this.#known) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(name);
    }
  }
}
