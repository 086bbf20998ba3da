import type { IncomingMessage, ServerResponse } from "node:http";
import type { DirectConnection } from "../direct/DirectConnection.ts";
import type { Feed, FeedTurns } from "./FeedTurns.ts";
import type { ReceivedBytes, Receiver } from "./ReceivedBytes.ts";

type Socket = IncomingMessage["socket"];

/** How many requests of a connection are taken before the first of them is answered. */
const maxAhead = 4;
/** The longest piece without the end of a head; the shortest requests are 26 bytes long. */
const maxPieceBytes = 1_024;
const headEnd = "\r\n\r\n";
const nothing = Buffer.alloc(0);

type Parse = (this: Socket, bytes: Buffer) => void;

export interface RequestFeedModules {
  readonly turns: FeedTurns;
  readonly received: ReceivedBytes;
  /** Answers a connection whose request arrives too slowly, and ends it. */
  readonly refuseSlow: (socket: Socket) => void;
}

/**
 * Stands between a socket and the HTTP parser. Node parses all pipelined requests of a chunk at once, and starts all of
 * them; here the parser gets one request after another, at most a few ahead of the answers that the client has taken.
 * The rest stays unparsed and is dropped with its connection.
 */
export class RequestFeed implements Feed, Receiver {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #turns: FeedTurns;
  readonly #received: ReceivedBytes;
  readonly #refuseSlow: (socket: Socket) => void;
  readonly #direct: DirectConnection | undefined;
  #rest: Buffer = nothing;
  #receivedBytes = 0;
  /** The last request, until all of it is received, and how many bytes of its body are. */
  #unfinished: { readonly request: IncomingMessage; bytes: number } | undefined;
  /** Bytes of the body of the last request that are still to come. */
  #bodyLeft = 0;
  #ahead = 0;
  #newest: ServerResponse | undefined;
  /** Whether the socket is paused by this feed; Node pauses it too, while its answers are not read. */
  #hasPaused = false;
  #isWaiting = false;
  /** Whether what was received was not yet tried the direct way. */
  #isPostponed = false;
  /** Whether the shared budget knows of this connection. */
  #isCounted = false;

  /** Takes the place of the parser at a socket that Node's server has just accepted. */
  static open(socket: Socket, modules: RequestFeedModules, direct?: DirectConnection): RequestFeed | undefined {
    const [parse] = socket.listeners("data") as Parse[];
    if (parse === undefined) return undefined;
    socket.off("data", parse);
    return new RequestFeed(socket, parse, modules, direct);
  }

  private constructor(
    socket: Socket,
    parse: Parse,
    { turns, received, refuseSlow }: RequestFeedModules,
    direct: DirectConnection | undefined,
  ) {
    this.#socket = socket;
    this.#direct = direct;
    this.#parse = parse;
    this.#turns = turns;
    this.#received = received;
    this.#refuseSlow = refuseSlow;
    socket.on("data", this.#receive);
    socket.on("resume", this.#resumed);
    socket.on("close", this.#drop);
  }

  /** Requests without a complete answer. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Whether no request is without a complete answer. */
  get closed(): boolean {
    return this.#ahead === 0;
  }

  /** Whether the answer to the last request has begun. */
  get hasAnswered(): boolean {
    return this.#newest?.headersSent ?? false;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  get isPaused(): boolean {
    return this.#socket.isPaused();
  }

  refuseSlow(): void {
    this.#drop();
    this.#refuseSlow(this.#socket);
  }

  /** Counts a request until its answer has been handed to the system or its connection is gone. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#newest === response) return;
    this.#newest = response;
    this.#ahead += 1;
    this.#bodyLeft = Number(request.headers["content-length"] ?? 0);
    this.#unfinished = { request, bytes: 0 };
    response.on("close", this.#release);
  }

  /** Ends this feed of a connection that is no longer HTTP; returns what was not parsed. */
  detach(): Buffer {
    const rest = this.#rest;
    this.#drop();
    this.#socket.off("data", this.#receive);
    this.#socket.off("resume", this.#resumed);
    return rest;
  }

  pump(): void {
    this.#isWaiting = false;
    if (this.#isPostponed) {
      this.#isPostponed = false;
      if (this.#direct !== undefined && this.#answerDirectly(this.#direct, this.#rest)) this.#rest = nothing;
    }
    const socket = this.#socket;
    while (this.#rest.length > 0 && !socket.destroyed) {
      // An unfinished body belongs to a request that was taken.
      if (this.#ahead >= maxAhead && this.#bodyLeft === 0) break;
      if (socket.isPaused() && !this.#hasPaused) break;
      if (this.#turns.isOver()) {
        this.#wait();
        break;
      }
      this.#resume();
      const piece = this.#nextPiece();
      this.#rest = this.#rest.subarray(piece.length);
      this.#bodyLeft = Math.max(0, this.#bodyLeft - piece.length);
      if (this.#unfinished !== undefined) this.#unfinished.bytes += piece.length;
      this.#parse.call(socket, piece);
      if (this.#unfinished?.request.complete === true) this.#unfinished = undefined;
    }
    if (this.#rest.length === 0) this.#resume();
    else if (!socket.isPaused()) this.#pause();
    this.#count();
  }

  readonly #receive = (chunk: Buffer): void => {
    this.#receivedBytes += chunk.length;
    if (this.#direct !== undefined && !this.#isPostponed) {
      this.#isPostponed = this.#rest.length === 0 && this.#turns.isOver();
      if (!this.#isPostponed && this.#answerDirectly(this.#direct, chunk)) return;
    }
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#isPostponed && !this.#isWaiting) this.#postpone();
    else if (this.#isWaiting) this.#count();
    else this.pump();
  };

  #answerDirectly(direct: DirectConnection, chunk: Buffer): boolean {
    const isFree = this.#ahead === 0 && (this.#rest.length === 0 || this.#rest === chunk);
    if (!direct.answer(chunk, isFree, this.#sentDirectly)) return false;
    this.#ahead += 1;
    return true;
  }

  /** Leaves what was received, unread, to a later turn. */
  #postpone(): void {
    this.#wait();
    this.#pause();
    this.#count();
  }

  readonly #sentDirectly = (): void => {
    this.#direct?.finish();
    this.#release();
  };

  readonly #resumed = (): void => {
    if (this.#rest.length > 0 && !this.#isWaiting) this.pump();
  };

  readonly #release = (): void => {
    this.#ahead -= 1;
    if (this.#rest.length > 0 && !this.#isWaiting) this.#wait();
  };

  readonly #drop = (): void => {
    this.#turns.leave(this);
    this.#rest = nothing;
    this.#unfinished = undefined;
    this.#count();
  };

  #nextPiece(): Buffer {
    const rest = this.#rest;
    if (this.#bodyLeft > 0) return rest.subarray(0, this.#bodyLeft);
    const at = rest.indexOf(headEnd, 0, "latin1");
    const end = at === -1 ? rest.length : at + headEnd.length;
    return end === rest.length && end <= maxPieceBytes ? rest : rest.subarray(0, Math.min(end, maxPieceBytes));
  }

  #wait(): void {
    this.#isWaiting = true;
    this.#turns.wait(this);
  }

  #pause(): void {
    this.#hasPaused = true;
    this.#socket.pause();
  }

  #resume(): void {
    if (!this.#hasPaused) return;
    this.#hasPaused = false;
    this.#socket.resume();
  }

  /** Most requests are complete at once and are not counted at all. */
  #count(): void {
    if (this.#unfinished === undefined) {
      if (this.#isCounted) this.#received.end(this);
    } else {
      this.#received.begin(this);
      this.#isCounted = true;
    }
    const held = this.#rest.length + (this.#unfinished?.bytes ?? 0);
    if ((held > 0 || this.#isCounted) && !this.#received.hold(this, held)) this.refuseSlow();
    this.#isCounted = held > 0 || this.#unfinished !== undefined;
  }
}
