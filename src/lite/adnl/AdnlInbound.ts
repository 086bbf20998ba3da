import type { CancelTimer } from "../../lib/clock.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { LiteError } from "../errors.ts";
import { frameContent, messageAnswer, tcpAuthentificationNonce, tcpPong } from "../tl/adnlRecords.ts";
import { decode, encode, type TlValue } from "../tl/types.ts";
import { AdnlChannel, type AdnlModules, type ChannelOptions } from "./AdnlChannel.ts";
import { type Authentication, askForSignature, checkSignature } from "./authentication.ts";
import { ByteQueue } from "./ByteQueue.ts";
import { serverSession } from "./cipher.ts";
import { acceptHandshake, handshakeLength } from "./handshake.ts";
import type { AdnlKey } from "./keys.ts";

/** The client of a query. */
export interface AdnlPeer {
  readonly host: string;
  readonly port: number;
  /** The client's key of this connection. */
  readonly sessionKey: Uint8Array;
  /** The key that the client has proved to hold, if any. */
  readonly shownKey: Uint8Array | undefined;
}

/** Answers a query; undefined sends no answer. The signal aborts when the client has disconnected. */
export type AdnlHandler = (query: Uint8Array, peer: AdnlPeer, signal: AbortSignal) => Promise<Uint8Array | undefined>;

export interface InboundOptions extends Omit<ChannelOptions, "session" | "onPayload"> {
  readonly keys: readonly AdnlKey[];
  readonly handler: AdnlHandler;
  readonly maxInFlight: number;
  readonly handshakeTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Called with an error of the handler: that query gets no answer. */
  readonly onHandlerError: (error: unknown) => void;
}

type State =
  | { readonly kind: "handshake"; readonly received: ByteQueue; readonly cancelTimeout: CancelTimer }
  | { readonly kind: "open"; readonly channel: AdnlChannel; readonly sessionKey: Uint8Array }
  | { readonly kind: "ended" };

/** A client's connection on the server side. It stops reading while the limit of unsent replies is reached. */
export class AdnlInbound {
  readonly #options: InboundOptions;
  readonly #modules: AdnlModules;
  readonly #gone = new AbortController();
  #state: State;
  #authentication: Authentication = { kind: "none" };
  /** Unsent replies are its work. */
  readonly #lifetime = new Lifetime<LiteError>((reason) => reason);
  #lastHeardMs: number;
  #cancelIdle: CancelTimer = () => {};

  constructor(options: InboundOptions, modules: AdnlModules) {
    this.#options = options;
    this.#modules = modules;
    this.#lastHeardMs = modules.clock.monotonic();
    const { socket, handshakeTimeoutMs } = options;
    const cancelTimeout = modules.clock.timer(handshakeTimeoutMs, () =>
      this.destroy(new LiteError("lite/timeout", `no handshake within ${handshakeTimeoutMs} ms`)),
    );
    this.#state = { kind: "handshake", received: new ByteQueue(), cancelTimeout };
    socket.on("data", this.#receiveHandshake);
    socket.on("error", (cause) => this.#end(new LiteError("lite/lost", "the connection broke", { cause })));
    socket.on("close", () => this.#end(new LiteError("lite/lost", "the client closed the connection")));
  }

  get isHandshaking(): boolean {
    return this.#state.kind === "handshake";
  }

  /** Whether it waits for no answer. */
  get isIdle(): boolean {
    return this.#lifetime.running === 0;
  }

  get lastHeardMs(): number {
    return this.#lastHeardMs;
  }

  /** Accepts no more queries, answers those in flight, and closes the connection. */
  async close(): Promise<void> {
    const reason = new LiteError("lite/closed", "the server closes");
    if (this.#state.kind === "handshake") this.destroy(reason);
    await this.#lifetime.close(reason);
    if (this.#state.kind === "open") this.#state.channel.close();
  }

  destroy(reason: LiteError): void {
    this.#options.socket.destroy();
    this.#end(reason);
  }

  readonly #receiveHandshake = (chunk: Uint8Array): void => {
    if (this.#state.kind !== "handshake") return;
    const { received } = this.#state;
    received.push(chunk);
    const packet = received.take(handshakeLength);
    if (packet !== undefined) this.#attempt(() => this.#open(packet, received.take(received.length)));
  };

  #open(packet: Uint8Array, rest: Uint8Array | undefined): void {
    const { socket, keys, maxPayload, lingerMs } = this.#options;
    const { parameters, clientPublicKey } = acceptHandshake(packet, keys);
    if (this.#state.kind === "handshake") this.#state.cancelTimeout();
    socket.off("data", this.#receiveHandshake);
    const channel = new AdnlChannel(
      {
        socket,
        session: serverSession(parameters),
        maxPayload,
        lingerMs,
        onPayload: (payload) => this.#receive(channel, payload),
        onEnd: (reason) => this.#end(reason),
      },
      this.#modules,
    );
    this.#state = { kind: "open", channel, sessionKey: clientPublicKey };
    this.#watchIdle(this.#options.idleTimeoutMs);
    channel.send(new Uint8Array(0));
    if (rest !== undefined && rest.length > 0) channel.receive(rest);
  }

  #receive(channel: AdnlChannel, payload: Uint8Array): void {
    this.#lastHeardMs = this.#modules.clock.monotonic();
    if (payload.length > 0 && this.#lifetime.isOpen) this.#handle(channel, decode(frameContent, payload));
  }

  #handle(channel: AdnlChannel, content: TlValue<typeof frameContent>): void {
    switch (content.kind) {
      case "query":
        void this.#owe(channel, () => this.#answer(content.queryId, content.query));
        return;
      case "ping":
        void this.#owe(channel, async () => encode(tcpPong.boxed, { randomId: content.randomId }));
        return;
      case "authentificate": {
        const asked = askForSignature(this.#authentication, content.nonce, this.#modules.random);
        this.#authentication = asked;
        channel.send(encode(tcpAuthentificationNonce.boxed, { nonce: asked.serverNonce }));
        return;
      }
      case "authentificationComplete":
        this.#authentication = checkSignature(this.#authentication, content);
        return;
      default:
        throw new LiteError("lite/tl", `a client sent ${content.kind}, which only servers send`);
    }
  }

  async #answer(queryId: Uint8Array, query: Uint8Array): Promise<Uint8Array | undefined> {
    const answer = await this.#options.handler(query, this.#peer(), this.#gone.signal);
    return answer === undefined ? undefined : encode(messageAnswer.boxed, { queryId, answer });
  }

  /** Counts a reply as unsent until the socket has accepted it. Never rejects. */
  async #owe(channel: AdnlChannel, make: () => Promise<Uint8Array | undefined>): Promise<void> {
    const { end } = this.#lifetime.begin();
    this.#throttle(channel);
    try {
      const reply = await make();
      if (reply !== undefined && this.#state.kind === "open") channel.send(reply);
    } catch (error) {
      this.#options.onHandlerError(error);
    }
    await channel.drained();
    end();
    this.#throttle(channel);
  }

  #throttle(channel: AdnlChannel): void {
    if (this.#lifetime.running >= this.#options.maxInFlight) channel.pause();
    else channel.resume();
  }

  #peer(): AdnlPeer {
    const { remoteAddress = "", remotePort = 0 } = this.#options.socket;
    return {
      host: remoteAddress,
      port: remotePort,
      sessionKey: this.#state.kind === "open" ? this.#state.sessionKey : new Uint8Array(32),
      shownKey: this.#authentication.kind === "shown" ? this.#authentication.publicKey : undefined,
    };
  }

  /**
   * One timer per connection: when it fires, it checks when the client was last heard and is restarted for the
   * remaining time.
   */
  #watchIdle(delayMs: number): void {
    const { idleTimeoutMs } = this.#options;
    this.#cancelIdle = this.#modules.clock.timer(delayMs, () => {
      const leftMs = this.#lastHeardMs + idleTimeoutMs - this.#modules.clock.monotonic();
      if (leftMs > 0) this.#watchIdle(leftMs);
      else this.destroy(new LiteError("lite/timeout", `nothing heard for ${idleTimeoutMs} ms`));
    });
  }

  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.destroy(
        error instanceof LiteError ? error : new LiteError("lite/handshake", "not understood", { cause: error }),
      );
    }
  }

  #end(reason: LiteError): void {
    if (this.#state.kind === "ended") return;
    if (this.#state.kind === "handshake") this.#state.cancelTimeout();
    this.#state = { kind: "ended" };
    this.#cancelIdle();
    this.#gone.abort(reason);
    this.#options.onEnd(reason);
  }
}
