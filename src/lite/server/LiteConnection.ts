import { orAborted } from "../../lib/abort.ts";
import { runWithin, throwIfAborted } from "../../lib/deadline.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import type { AdnlModules } from "../adnl/AdnlChannel.ts";
import { type AdnlAddress, AdnlClient, type AdnlClientOptions } from "../adnl/AdnlClient.ts";
import { closedBy, LiteError } from "../errors.ts";
import { wrapQuery } from "../tl/queryEnvelope.ts";
import type { AskOptions, LiteServer } from "./LiteServer.ts";

export interface LiteConnectionOptions extends AdnlClientOptions {
  /** A server silent for this long is pinged; 5 s by default. */
  readonly pingEveryMs?: number;
  /** The connection is closed when a ping is not answered within this time; 5 s by default. */
  readonly pingTimeoutMs?: number;
  /** The delay after the first failure, doubled by each further one; 100 ms by default. */
  readonly backoffMs?: number;
  /** The longest delay, so that a recovered server is used again soon; 1.5 s by default. */
  readonly maxBackoffMs?: number;
}

/** The state of a connection; `downUntilMs` is in the clock's monotonic time. */
export type LiteConnectionState =
  | { readonly kind: "idle" }
  | { readonly kind: "connecting"; readonly client: Promise<AdnlClient>; readonly cancel: (reason: LiteError) => void }
  | { readonly kind: "open"; readonly client: AdnlClient }
  | { readonly kind: "down"; readonly downUntilMs: number; readonly reason: Error }
  | { readonly kind: "closed"; readonly reason: LiteError };

/**
 * One server's address as a `LiteServer`. Connects on the first query and again on the first query after a loss. After
 * a failure it waits, longer each time, and queries in the meantime reject immediately with the failure, so that a pool
 * can use another server. An answer resets the failures.
 */
export class LiteConnection implements LiteServer {
  readonly #address: AdnlAddress;
  readonly #modules: AdnlModules;
  readonly #options: LiteConnectionOptions;
  readonly #lifetime = new Lifetime(closedBy);
  #state: LiteConnectionState = { kind: "idle" };
  #failures = 0;

  constructor(address: AdnlAddress, modules: AdnlModules, options: LiteConnectionOptions = {}) {
    this.#address = address;
    this.#modules = modules;
    this.#options = options;
  }

  get state(): LiteConnectionState {
    return this.#state;
  }

  async ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    throwIfAborted(signal);
    return this.#lifetime.run(async () => {
      const client = await this.#getClient(signal);
      const answer = await client.query(wrapQuery(query), signal);
      this.#failures = 0;
      return answer;
    });
  }

  async close(): Promise<void> {
    const reason = new LiteError("lite/closed", `the connection to ${this.#where()} is closed`);
    await this.#lifetime.close(reason);
    const state = this.#state;
    if (state.kind === "closed") return;
    this.#state = { kind: "closed", reason };
    if (state.kind === "connecting") state.cancel(reason);
    else if (state.kind === "open") await state.client.close();
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
    const state = this.#state;
    this.#state = { kind: "closed", reason };
    if (state.kind === "connecting") state.cancel(reason);
    else if (state.kind === "open") state.client.destroy(reason);
  }

  #getClient(signal: AbortSignal): Promise<AdnlClient> | AdnlClient {
    const state = this.#state;
    switch (state.kind) {
      case "open":
        return state.client;
      case "connecting":
        return orAborted(state.client, signal);
      case "closed":
        throw state.reason;
      case "down":
        this.#throwWhileDown(state.downUntilMs, state.reason);
    }
    return orAborted(this.#connect(), signal);
  }

  #throwWhileDown(downUntilMs: number, reason: Error): void {
    const retryInMs = Math.ceil(downUntilMs - this.#modules.clock.monotonic());
    if (retryInMs > 0) {
      const code = reason instanceof LiteError ? reason.code : "lite/lost";
      throw new LiteError(code, `${reason.message}; next attempt in ${retryInMs} ms`, {
        cause: reason,
        data: { retryInMs },
      });
    }
  }

  /** One attempt, shared by all concurrent callers; its outcome is the new state. */
  #connect(): Promise<AdnlClient> {
    const given = new AbortController();
    const client = AdnlClient.open(this.#address, this.#modules, this.#options, given.signal);
    const state: LiteConnectionState = { kind: "connecting", client, cancel: (reason) => given.abort(reason) };
    this.#state = state;
    client.then(
      (opened) => this.#opened(state, opened),
      (reason: Error) => {
        if (this.#state === state) this.#goDown(reason);
      },
    );
    return client;
  }

  #opened(attempt: LiteConnectionState, client: AdnlClient): void {
    if (this.#state !== attempt) {
      client.destroy(new LiteError("lite/closed", `the connection to ${this.#where()} is no longer needed`));
      return;
    }
    const state: LiteConnectionState = { kind: "open", client };
    this.#state = state;
    const over = new AbortController();
    client.ended.then((reason) => {
      over.abort(reason);
      if (this.#state === state) this.#goDown(reason);
    });
    this.#watch(client, over.signal).catch((cause) => {
      client.destroy(new LiteError("lite/lost", `${this.#where()} stopped responding`, { cause }));
    });
  }

  /**
   * Pings a silent server, because a half-open connection reports nothing. Ends by throwing when the server is lost.
   */
  async #watch(client: AdnlClient, over: AbortSignal): Promise<never> {
    const { clock } = this.#modules;
    const { pingEveryMs = 5_000, pingTimeoutMs = 5_000 } = this.#options;
    for (;;) {
      const quietMs = clock.monotonic() - client.lastHeardMs;
      await clock.sleep(Math.max(pingEveryMs - quietMs, 1), over);
      if (clock.monotonic() - client.lastHeardMs >= pingEveryMs)
        await runWithin(clock, pingTimeoutMs, (deadline) => this.#heard(client, deadline.signal), over);
    }
  }

  /** Resolves with the pong; any other frame received in the meantime also counts. */
  async #heard(client: AdnlClient, signal: AbortSignal): Promise<void> {
    const before = client.lastHeardMs;
    try {
      await client.ping(signal);
      this.#failures = 0;
    } catch (error) {
      if (client.lastHeardMs === before) throw error;
    }
  }

  /** The first loss of a working connection causes no delay. */
  #goDown(reason: Error): void {
    const { backoffMs = 100, maxBackoffMs = 1_500 } = this.#options;
    const { clock, random } = this.#modules;
    const lostWhileWorking = this.#state.kind === "open" && this.#failures === 0;
    this.#failures += 1;
    const delayMs =
      Math.min(backoffMs * 2 ** Math.min(this.#failures - 1, 30), maxBackoffMs) * (0.5 + random.next() / 2);
    const downUntilMs = lostWhileWorking ? clock.monotonic() : clock.monotonic() + delayMs;
    this.#state = { kind: "down", downUntilMs, reason };
  }

  #where(): string {
    return `${this.#address.host}:${this.#address.port}`;
  }
}
