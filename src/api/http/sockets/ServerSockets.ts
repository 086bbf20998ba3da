import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { DirectServer, type DirectServerModules } from "../direct/DirectConnection.ts";
import type { ConnectionLimit } from "./ConnectionLimit.ts";
import { FeedTurns } from "./FeedTurns.ts";
import { ReceivedBytes } from "./ReceivedBytes.ts";
import { RequestFeed, type RequestFeedModules } from "./RequestFeed.ts";

type Socket = IncomingMessage["socket"];

/** How long a client may leave sent bytes unread. */
const stallMs = 30_000;

export interface ServerSocketsModules {
  readonly clock: Clock;
  readonly log: Log;
  /** The raw answer to a request that arrives too slowly. */
  readonly slowAnswer: () => string;
  readonly connections?: Pick<ConnectionLimit, "use"> | undefined;
}

/** How a server answers without Node's HTTP objects. */
export type DirectWay = Pick<DirectServerModules, "find" | "limitBytes">;

/**
 * All sockets of HTTP servers, from their first moment to their last, whatever they become: each has a listener for
 * errors, each can be destroyed, and each that stops reading is.
 */
export class ServerSockets {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connections: Pick<ConnectionLimit, "use"> | undefined;
  readonly #feedModules: RequestFeedModules;
  readonly #open = new Set<Socket>();
  /** Connections that speak HTTP. */
  readonly #feeds = new WeakMap<Socket, RequestFeed>();

  constructor({ clock, log, slowAnswer, connections }: ServerSocketsModules) {
    this.#clock = clock;
    this.#log = log;
    this.#connections = connections;
    this.#feedModules = {
      turns: new FeedTurns(clock),
      received: new ReceivedBytes(clock),
      refuseSlow: (socket) => {
        // After the beginning of an answer, nothing can be said any more.
        if (socket.writable && this.#feeds.get(socket)?.hasAnswered === false) socket.write(slowAnswer());
        socket.destroy();
      },
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Cares for the sockets of a server from now on. */
  watch(server: HttpServer, way?: DirectWay): void {
    const onAnswer = (socket: Socket) => this.#connections?.use(socket, this.#feeds.get(socket));
    const direct = way && new DirectServer(server, { ...way, clock: this.#clock, stallMs, onAnswer });
    server.on("connection", (socket: Socket) => this.#add(socket, direct));
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#feeds.get(request.socket)?.take(request, response),
    );
    server.setTimeout(stallMs, (socket) => this.#endStalled(socket));
    // A listener outlives a failed accept, such as one without a free file descriptor.
    server.on("error", (error) => {
      if (server.listening) this.#log.error("a connection could not be accepted", { error });
    });
  }

  /** A connection is handed over to another protocol; returns the bytes that were received for it. */
  release(socket: Socket): Buffer | undefined {
    const rest = this.#feeds.get(socket)?.detach();
    this.#feeds.delete(socket);
    return rest;
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Ends connections that have sent nothing, such as those that browsers open in advance: Node counts them as busy. */
  destroyUnused(): void {
    for (const socket of this.#open) if (this.#feeds.get(socket)?.receivedBytes === 0) socket.destroy();
  }

  #add(socket: Socket, direct: DirectServer | undefined): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#open.delete(socket));
    const feed = RequestFeed.open(socket, this.#feedModules, direct?.open(socket));
    if (feed !== undefined) this.#feeds.set(socket, feed);
  }

  /** A request that is still worked on has nothing to send yet. */
  #endStalled(socket: Socket): void {
    const isIdle = this.#feeds.get(socket)?.ahead === 0;
    if (isIdle || socket.writableLength > 0) socket.destroy();
  }
}
