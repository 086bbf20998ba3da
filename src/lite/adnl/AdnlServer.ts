import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Lifetime } from "../../lib/Lifetime.ts";
import { closedBy, LiteError } from "../errors.ts";
import type { AdnlModules } from "./AdnlChannel.ts";
import { type AdnlHandler, AdnlInbound } from "./AdnlInbound.ts";
import { maxPayloadBytes } from "./frames.ts";
import { type AdnlKey, makeAdnlKey } from "./keys.ts";

export interface AdnlServerOptions {
  readonly host: string;
  /** 0 selects any free port; the server's `port` has the number. */
  readonly port: number;
  /** Seeds of the Ed25519 keys of this server. */
  readonly seeds: readonly Uint8Array[];
  /**
   * At the limit, a new connection takes the place of one without a handshake, or else of the one that was silent for
   * the longest time, if that is half a minute and it waits for no answer; 1024 by default.
   */
  readonly maxConnections?: number;
  /** How many queries of one connection may be unanswered before it is not read any more; 32 by default. */
  readonly maxInFlight?: number;
  /** The longest payload in either direction; the reference's limit by default. */
  readonly maxPayload?: number;
  /** 5 s by default. */
  readonly handshakeTimeoutMs?: number;
  /** A client that sends nothing for this long, not even a ping, is dropped; 10 minutes by default. */
  readonly idleTimeoutMs?: number;
  /** How long a closed connection waits for the client to close too; 1 s by default. */
  readonly lingerMs?: number;
}

export interface AdnlServerModules extends AdnlModules {
  readonly handler: AdnlHandler;
  /** Called with connections that the client did not end, and with errors of handlers. */
  readonly onProblem?: (error: unknown) => void;
}

/** How long a client is silent before another one may take its place; libraries ping every few seconds. */
const silentMs = 30_000;

/** Listens for ADNL clients and passes their queries to one handler. */
export class AdnlServer {
  readonly #server: Server;
  readonly #options: AdnlServerOptions;
  readonly #modules: AdnlServerModules;
  readonly #keys: readonly AdnlKey[];
  readonly #connections = new Set<AdnlInbound>();
  readonly #lifetime = new Lifetime<LiteError>(closedBy);
  readonly #port: number;

  /** Resolves when the server listens; rejects with `lite/refused` when it cannot. */
  static async open(options: AdnlServerOptions, modules: AdnlServerModules): Promise<AdnlServer> {
    const server = createServer({ noDelay: true, keepAlive: true });
    server.listen({ host: options.host, port: options.port });
    try {
      await once(server, "listening");
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new LiteError("lite/refused", `cannot listen on ${options.host}:${options.port} (${why})`, { cause });
    }
    return new AdnlServer(server, options, modules);
  }

  private constructor(server: Server, options: AdnlServerOptions, modules: AdnlServerModules) {
    this.#server = server;
    this.#options = options;
    this.#modules = modules;
    this.#keys = options.seeds.map(makeAdnlKey);
    const bound = server.address();
    this.#port = typeof bound === "object" && bound !== null ? bound.port : options.port;
    server.on("connection", (socket) => this.#accept(socket));
    server.on("error", (error) => modules.onProblem?.(error));
  }

  get port(): number {
    return this.#port;
  }

  /** The public keys of the seeds, in their order. */
  get publicKeys(): readonly Uint8Array[] {
    return this.#keys.map((key) => key.publicKey);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /**
   * Accepts no more connections or queries, answers those in flight; resolves when the last client has disconnected.
   */
  async close(): Promise<void> {
    const closed = this.#closed();
    for (const connection of [...this.#connections]) void connection.close();
    await closed;
    // The listener reports a socket as closed shortly before the connection does.
    await this.#lifetime.close(new LiteError("lite/closed", "the server is closed"));
  }

  /** Drops all connections immediately; the signals of handlers abort with the reason. */
  destroy(reason: LiteError): void {
    void this.#closed();
    this.#lifetime.destroy(reason);
  }

  #closed(): Promise<void> {
    // The callback's error says that the server was already closed, which is fine.
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const { maxConnections = 1_024, maxInFlight = 32, maxPayload = maxPayloadBytes } = this.#options;
    const { handshakeTimeoutMs = 5_000, idleTimeoutMs = 600_000, lingerMs = 1_000 } = this.#options;
    socket.on("error", () => socket.destroy());
    if (this.#connections.size >= maxConnections) {
      const reason = new LiteError("lite/busy", `too many connections (limit ${maxConnections})`);
      const replaced = this.#findReplaceable();
      replaced?.destroy(reason);
      if (replaced === undefined) {
        socket.destroy();
        this.#modules.onProblem?.(reason);
        return;
      }
    }
    const connection = new AdnlInbound(
      {
        socket,
        keys: this.#keys,
        handler: this.#modules.handler,
        ...{ maxInFlight, maxPayload, handshakeTimeoutMs, idleTimeoutMs, lingerMs },
        onEnd: (reason) => {
          this.#connections.delete(connection);
          life.end();
          this.#reportEnd(reason);
        },
        onHandlerError: (error) => this.#modules.onProblem?.(error),
      },
      this.#modules,
    );
    const life = this.#lifetime.begin((reason) => connection.destroy(reason));
    this.#connections.add(connection);
  }

  /** So connections that only take a place can neither exhaust the file descriptors nor keep new clients out. */
  #findReplaceable(): AdnlInbound | undefined {
    let longest: AdnlInbound | undefined;
    let sinceMs = this.#modules.clock.monotonic() - silentMs;
    for (const connection of this.#connections) {
      // They are in the order in which they came.
      if (connection.isHandshaking) return connection;
      if (!connection.isIdle || connection.lastHeardMs > sinceMs) continue;
      longest = connection;
      sinceMs = connection.lastHeardMs;
    }
    return longest;
  }

  #reportEnd(reason: LiteError): void {
    if (reason.code !== "lite/lost" && reason.code !== "lite/closed") this.#modules.onProblem?.(reason);
  }
}
