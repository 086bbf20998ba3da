import { orAborted } from "../../lib/abort.ts";
import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { LiteError } from "../errors.ts";
import { ask, type LiteServer } from "../server/LiteServer.ts";
import { getMasterchainInfo } from "../tl/liteQueries.ts";
import type { TrustedChain, TrustedHead } from "./TrustedChain.ts";

export interface HeadProverModules {
  readonly clock: Clock;
  readonly trusted: Pick<TrustedChain, "head">;
  /** Called when a server has answered at all, before its head is proved. */
  readonly onReached: (server: LiteServer) => void;
}

/** The proof from the trusted start block to the first head, made with the help of one server. */
interface FirstWay {
  readonly server: LiteServer;
  readonly outcome: Promise<TrustedHead>;
}

/** The time after which a server without progress is replaced by another one. */
const stallMs = 10_000;

/**
 * Asks servers for their heads and proves them. The first proof can span years of key blocks and takes longer than a
 * query may. It is made once for all servers, continues while callers come and go, and is continued by another server
 * if one fails.
 */
export class HeadProver {
  readonly #modules: HeadProverModules;
  readonly #over = new AbortController();
  #first: FirstWay | undefined;
  #isShort = false;
  #onProgress: () => void = () => {};

  constructor(modules: HeadProverModules) {
    this.#modules = modules;
  }

  /** A server's newest block, proved; rejects like a query, with `lite/proof` for a proof error of this server. */
  async fetch(server: LiteServer, signal: AbortSignal): Promise<TrustedHead> {
    const { trusted, onReached } = this.#modules;
    if (this.#isShort) return trusted.head(server, { signal });
    await ask(server, getMasterchainInfo, {}, { signal });
    onReached(server);
    while (!this.#isShort) {
      const way = this.#first ?? this.#begin(server);
      if (way.server === server) return orAborted(way.outcome, signal);
      await orAborted(whenOver(way.outcome), signal);
    }
    return trusted.head(server, { signal });
  }

  /** Called with every proved part of the chain. */
  noteProgress(): void {
    this.#onProgress();
  }

  close(): void {
    this.#over.abort(new LiteError("lite/closed", "the network is closed"));
  }

  #begin(server: LiteServer): FirstWay {
    const way = { server, outcome: this.#go(server) };
    // All waiting callers may have left when it fails.
    way.outcome.catch(() => {});
    this.#first = way;
    return way;
  }

  async #go(server: LiteServer): Promise<TrustedHead> {
    const { clock, trusted } = this.#modules;
    const going = new AbortController();
    const stalled = new LiteError("lite/timeout", `made no progress towards its head within ${stallMs} ms`);
    let cancel: CancelTimer = () => {};
    const wait = (): void => {
      cancel();
      cancel = clock.timer(stallMs, () => going.abort(stalled));
    };
    this.#onProgress = wait;
    wait();
    try {
      const head = await orAborted(trusted.head(server, { signal: going.signal }), this.#over.signal);
      this.#isShort = true;
      return head;
    } finally {
      going.abort(stalled);
      cancel();
      this.#onProgress = () => {};
      this.#first = undefined;
    }
  }
}

/** Resolves when the work is over, whatever its outcome. */
function whenOver(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => {},
    () => {},
  );
}
