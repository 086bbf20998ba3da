import { connect, type Socket } from "node:net";
import { onAbort, orAborted } from "../../lib/abort.ts";
import { toLatin1 } from "../../lib/bytes.ts";
import { throwIfAborted, withDeadline } from "../../lib/deadline.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { LiteError } from "../errors.ts";
import { frameContent, messageQuery, tcpPing } from "../tl/adnlRecords.ts";
import { decode, encode, type TlValue } from "../tl/types.ts";
import { AdnlChannel, type AdnlModules } from "./AdnlChannel.ts";
import { clientSession, sessionParametersLength } from "./cipher.ts";
import { maxPayloadBytes } from "./frames.ts";
import { makeHandshake } from "./handshake.ts";
import { makeAdnlKey } from "./keys.ts";

/** Where a server listens, and its public Ed25519 key. */
export interface AdnlAddress {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
}

export interface AdnlClientOptions {
  /** The timeout of connecting and the handshake together; 5 s by default. */
  readonly connectTimeoutMs?: number;
  /** The longest payload in either direction; the reference's limit by default. */
  readonly maxPayload?: number;
  /** How long a closed connection waits for the server to close too; 1 s by default. */
  readonly lingerMs?: number;
}

/** A correct server sends one unrequested frame, its greeting. */
const maxUnasked = 1024;

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * One connection to one server, from its handshake to its end; it does not reconnect. Several queries may be in flight.
 * `close` lets them finish; `destroy` ends them with its reason. Later queries reject immediately.
 */
export class AdnlClient {
  /** Resolves with the reason when the connection has ended; never rejects. */
  readonly ended: Promise<LiteError>;
  readonly #channel: AdnlChannel;
  readonly #modules: AdnlModules;
  readonly #queries = new Map<string, Waiting<Uint8Array>>();
  readonly #pings = new Map<bigint, Waiting<void>>();
  #greet: () => void = () => {};
  #lastHeardMs: number;
  /** The number of requested frames that the server has not sent yet. */
  #owed = 0;
  /** The number of unrequested frames since the last requested one. */
  #unasked = 0;
  /** Queries are its work; closing does not wait for pings. */
  readonly #lifetime = new Lifetime<LiteError>((reason) => reason);

  /**
   * Connects and does the handshake; resolves when the server has proved that it holds its key. Ends with the signal or
   * the timeout.
   */
  static async open(
    address: AdnlAddress,
    modules: AdnlModules,
    options: AdnlClientOptions = {},
    signal?: AbortSignal,
  ): Promise<AdnlClient> {
    throwIfAborted(signal);
    const timeoutMs = options.connectTimeoutMs ?? 5_000;
    const deadline = withDeadline(modules.clock, timeoutMs, signal);
    try {
      return await AdnlClient.#shakeHands(address, modules, options, deadline.signal);
    } catch (cause) {
      if (deadline.signal.aborted && signal?.aborted !== true) {
        const message = `${address.host}:${address.port} did not complete the handshake within ${timeoutMs} ms`;
        throw new LiteError("lite/timeout", message, { cause });
      }
      throw cause;
    } finally {
      deadline.dispose();
    }
  }

  static async #shakeHands(
    address: AdnlAddress,
    modules: AdnlModules,
    options: AdnlClientOptions,
    signal: AbortSignal,
  ): Promise<AdnlClient> {
    const key = makeAdnlKey(modules.random.bytes(32));
    const parameters = modules.random.bytes(sessionParametersLength);
    const handshake = makeHandshake(key, address.publicKey, parameters);
    const socket = await connectSocket(address, signal);
    socket.write(handshake);
    const client = new AdnlClient(socket, parameters, modules, options);
    const greeted = new Promise<undefined>((resolve) => {
      client.#greet = () => resolve(undefined);
    });
    const giveUp = onAbort(signal, () => client.destroy(new LiteError("lite/closed", "connecting was cancelled")));
    try {
      const end = await orAborted(Promise.race([greeted, client.ended]), signal);
      if (end !== undefined) {
        const message = `${address.host}:${address.port} did not complete the handshake: ${end.message}`;
        throw new LiteError("lite/handshake", message, { cause: end });
      }
      return client;
    } finally {
      giveUp();
    }
  }

  private constructor(socket: Socket, parameters: Uint8Array, modules: AdnlModules, options: AdnlClientOptions) {
    this.#modules = modules;
    this.#lastHeardMs = modules.clock.monotonic();
    let finishEnded: (reason: LiteError) => void = () => {};
    this.ended = new Promise((resolve) => {
      finishEnded = resolve;
    });
    this.#channel = new AdnlChannel(
      {
        socket,
        session: clientSession(parameters),
        maxPayload: options.maxPayload ?? maxPayloadBytes,
        lingerMs: options.lingerMs ?? 1_000,
        onPayload: (payload) => this.#receive(payload),
        onEnd: (reason) => finishEnded(this.#finish(reason)),
      },
      modules,
    );
  }

  /** When the server last sent anything, in the clock's monotonic time. */
  get lastHeardMs(): number {
    return this.#lastHeardMs;
  }

  /**
   * Sends a query when the socket accepts it and resolves with its answer. An answer that arrives after an abort is
   * dropped.
   */
  async query(query: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    this.#lifetime.throwIfEnded();
    const { end } = this.#lifetime.begin();
    try {
      if (this.#channel.blocked) await this.#untilDrained(signal);
      const queryId = this.#modules.random.bytes(32);
      return await this.#wait(this.#queries, idKey(queryId), signal, () =>
        this.#channel.send(encode(messageQuery.boxed, { queryId, query })),
      );
    } finally {
      end();
    }
  }

  /** Resolves when the server has answered a ping. */
  async ping(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    this.#lifetime.throwIfEnded();
    const randomId = Buffer.from(this.#modules.random.bytes(8)).readBigInt64LE();
    return this.#wait(this.#pings, randomId, signal, () => this.#channel.send(encode(tcpPing.boxed, { randomId })));
  }

  /** Accepts no more queries, waits for those in flight, and closes the connection. */
  async close(): Promise<void> {
    await this.#lifetime.close(new LiteError("lite/closed", "the connection is closed"));
    this.#channel.close();
    await this.ended;
  }

  /** Ends the connection and everything in flight with the reason. */
  destroy(reason: LiteError): void {
    this.#channel.destroy(reason);
  }

  /** An accepted query is sent also while closing; only the end of the connection refuses it. */
  async #untilDrained(signal: AbortSignal | undefined): Promise<void> {
    await this.#channel.drained(signal);
    throwIfAborted(signal);
    if (this.#lifetime.isClosed) this.#lifetime.throwIfEnded();
  }

  #wait<K, T>(waiting: Map<K, Waiting<T>>, key: K, signal: AbortSignal | undefined, send: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      send();
      this.#owed += 1;
      let stopListening = () => {};
      const finish = (how: () => void) => {
        stopListening();
        waiting.delete(key);
        how();
      };
      waiting.set(key, {
        resolve: (value) => finish(() => resolve(value)),
        reject: (reason) => finish(() => reject(reason)),
      });
      stopListening = onAbort(signal, (reason) => finish(() => reject(reason)));
    });
  }

  #receive(payload: Uint8Array): void {
    this.#lastHeardMs = this.#modules.clock.monotonic();
    this.#greet();
    this.#countUnasked();
    if (payload.length === 0) return;
    this.#handle(decode(frameContent, payload));
  }

  /** Each query allows one frame, also an aborted query; a server that sends more is disconnected. */
  #countUnasked(): void {
    if (this.#owed > 0) {
      this.#owed -= 1;
      this.#unasked = 0;
      return;
    }
    this.#unasked += 1;
    if (this.#unasked > maxUnasked)
      throw new LiteError("lite/frame", `a server sent ${this.#unasked} unrequested frames`);
  }

  #handle(content: TlValue<typeof frameContent>): void {
    switch (content.kind) {
      case "answer":
        this.#queries.get(idKey(content.queryId))?.resolve(content.answer);
        return;
      case "pong":
        this.#pings.get(content.randomId)?.resolve();
        return;
      default:
        throw new LiteError("lite/tl", `a server sent ${content.kind}, which only clients send`);
    }
  }

  /** Rejects what is in flight and returns why the connection ended: the end after `close` is not a loss. */
  #finish(reason: LiteError): LiteError {
    const why = reason.code === "lite/lost" ? (this.#lifetime.reason ?? reason) : reason;
    this.#lifetime.destroy(why);
    for (const waiting of [...this.#queries.values(), ...this.#pings.values()]) waiting.reject(why);
    return why;
  }
}

function idKey(queryId: Uint8Array): string {
  return toLatin1(queryId);
}

function connectSocket({ host, port }: AdnlAddress, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true });
    const giveUp = onAbort(signal, (reason) => {
      socket.destroy();
      reject(reason);
    });
    socket.once("connect", () => {
      giveUp();
      resolve(socket);
    });
    // Stays attached after connecting, so that there is always a listener; a second rejection has no effect.
    socket.on("error", (cause) => {
      giveUp();
      reject(new LiteError("lite/refused", `cannot connect to ${host}:${port}: ${cause.message}`, { cause }));
    });
  });
}
