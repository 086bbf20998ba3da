import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";

type Socket = IncomingMessage["socket"];

/** The use of a connection. */
interface ConnectionUse {
  /** The newest answer; absent before the first request. */
  response: Pick<ServerResponse, "closed"> | undefined;
  /** Whether a request came since the last check of the connection. */
  isFresh: boolean;
}

/** An upgraded connection is in use until it ends. */
const neverIdle = { closed: false };

/** The number of connections examined for each new one, so that a flood of them is cheap. */
const maxLooks = 1_000;
const silentMs = 60_000;

/**
 * Limits the number of connections of all servers of a process. A new connection replaces an idle one: among those
 * without a request in progress, roughly the least recently used one (each request gives a second chance). Without an
 * idle connection the new one is refused. So idle connections can neither exhaust the file descriptors of the process
 * nor keep new clients out.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #modules: { readonly clock: Clock; readonly log: Log };
  /** In the order in which they are checked. */
  readonly #uses = new Map<Socket, ConnectionUse>();
  #ended = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(max: number, modules: { readonly clock: Clock; readonly log: Log }) {
    this.#max = max;
    this.#modules = modules;
  }

  /** Open connections. */
  get open(): number {
    return this.#uses.size;
  }

  /** Connections ended or refused because of the limit. */
  get ended(): number {
    return this.#ended;
  }

  /** Counts the connections of a server from now on; call it when the server has all its listeners. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => this.use(socket, response));
    // A server without such a listener handles upgrades as requests.
    if (server.listenerCount("upgrade") > 0)
      server.on("upgrade", ({ socket }: IncomingMessage) => this.use(socket, neverIdle));
  }

  /** A request came over this connection, which is in use until its answer is closed. */
  use(socket: Socket, response: ConnectionUse["response"]): void {
    const use = this.#uses.get(socket);
    if (use === undefined) return;
    use.response = response;
    use.isFresh = true;
  }

  #add(socket: Socket): void {
    if (this.#uses.size >= this.#max) {
      const idle = this.#findIdle();
      this.#end(idle ?? socket);
      if (idle === undefined) return;
    }
    this.#uses.set(socket, { response: undefined, isFresh: false });
    socket.once("close", () => this.#uses.delete(socket));
  }

  #findIdle(): Socket | undefined {
    // Twice, because a request gives a connection a second chance.
    const looks = Math.min(2 * this.#uses.size, maxLooks);
    for (let look = 0; look < looks; look++) {
      for (const [socket, use] of this.#uses) {
        if (!use.isFresh && use.response?.closed !== false) return socket;
        use.isFresh = false;
        this.#uses.delete(socket);
        this.#uses.set(socket, use);
        break;
      }
    }
    return undefined;
  }

  #end(socket: Socket): void {
    this.#uses.delete(socket);
    socket.destroy();
    this.#ended += 1;
    const { clock, log } = this.#modules;
    if (clock.monotonic() - this.#reportedAtMs < silentMs) return;
    this.#reportedAtMs = clock.monotonic();
    log.warn("the limit of connections is reached; idle ones are closed for new ones", {
      limit: this.#max,
    });
  }
}
