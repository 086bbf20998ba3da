import type { IncomingMessage, Server } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import type { DirectAnswer, DirectRequest } from "./DirectAnswer.ts";
import { ResponseText } from "./ResponseText.ts";
import { StrictReader } from "./StrictReader.ts";

type Socket = IncomingMessage["socket"];

export interface DirectServerModules {
  readonly clock: Clock;
  readonly find: (request: DirectRequest) => DirectAnswer | undefined;
  /** Longer requests are left to Node's limits. */
  readonly limitBytes: number;
  /** How long a client may leave sent bytes unread. */
  readonly stallMs: number;
  /** Called for each direct answer. */
  readonly onAnswer: (socket: Socket) => void;
}

/** The direct way of a server's connections. */
export class DirectServer {
  readonly server: Server;
  readonly modules: DirectServerModules;
  readonly text: ResponseText;

  constructor(server: Server, modules: DirectServerModules) {
    this.server = server;
    this.modules = modules;
    this.text = new ResponseText(modules.clock, server);
  }

  open(socket: Socket): DirectConnection {
    return new DirectConnection(socket, this);
  }
}

/**
 * The direct way of one connection. It is open as long as every byte of the connection was read strictly, so that it is
 * certain where Node's parser stands: between two requests. The first request goes the ordinary way, because Node ends
 * connections whose parser has seen none in time.
 */
export class DirectConnection {
  readonly #socket: Socket;
  readonly #way: DirectServer;
  #reader: StrictReader | undefined;
  #isFirst = true;
  #isSlow = false;

  constructor(socket: Socket, way: DirectServer) {
    this.#socket = socket;
    this.#way = way;
    this.#reader = new StrictReader(way.modules.limitBytes);
  }

  /**
   * Answers a received chunk, or returns false: then it goes the ordinary way. `isFree` is whether all requests before
   * were answered; `sent` is called when the system has the answer, or the connection is gone.
   */
  answer(chunk: Buffer, isFree: boolean, sent: () => void): boolean {
    const request = this.#reader?.read(chunk);
    if (request === undefined) this.#reader = undefined;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const socket = this.#socket;
    if (request === undefined || isFirst || !isFree || !socket.writable) return false;
    const { modules, text } = this.#way;
    const answer = modules.find({ ...request, socket });
    if (answer === undefined) return false;
    modules.onAnswer(socket);
    socket.write(text.format(answer), "latin1", sent);
    if (socket.writableLength > 0) this.#setSlow(true);
    return true;
  }

  /** The system has the last answer: its reader is not slow any more. */
  finish(): void {
    if (this.#isSlow) this.#setSlow(false);
  }

  /** Between requests Node gives the client time to send one; now the client must read. */
  #setSlow(isSlow: boolean): void {
    this.#isSlow = isSlow;
    this.#socket.setTimeout(isSlow ? this.#way.modules.stallMs : this.#way.server.keepAliveTimeout);
  }
}
