import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { LibError } from "../../lib/errors.ts";
import { asText, parseJsonInSteps } from "../../lib/json.ts";
import type { Caller } from "../declare/Caller.ts";
import { findProperties, parseQuery, type RequestArgs, type RequestHeaders } from "../declare/requestArgs.ts";
import { readInTurns } from "../http/readBody.ts";
import type { StreamConnection } from "./StreamConnection.ts";
import { admit, refusalOf, revokedReason, watchKey } from "./StreamEntry.ts";
import type { StreamModules } from "./StreamModules.ts";
import { StreamRefusal } from "./StreamRefusal.ts";
import { readAddress, readSubscription, readTraceHash, wsWording } from "./Subscription.ts";
import { acknowledge, echoId } from "./serveSse.ts";
import { closeCodes, type Transport } from "./transport/Transport.ts";
import { isUpgrade, refuseUpgrade } from "./websocket/upgrade.ts";
import { acceptWebSocket, type WebSocketConnection, type WebSocketListener } from "./websocket/WebSocketConnection.ts";

const maxRequestBytes = 1 << 20;
const pingMs = 20_000;
const silentMs = 60_000;
const progressMs = 5_000;
/** This many messages in a row that are no JSON end a connection. */
const maxUnreadable = 3;
/** What may wait behind a request that is being answered; a single one may be as large as any. */
const maxWaitingRequests = 256;
const maxWaitingRequestBytes = 2 * maxRequestBytes;

/** Opens a WebSocket whose subscription may change while it lives. */
export async function serveWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  modules: StreamModules,
): Promise<void> {
  socket.on("error", () => socket.destroy());
  const refuse = (status: number, text: string) =>
    refuseUpgrade(socket, status, STATUS_CODES[status] ?? "Error", JSON.stringify({ error: text }));
  if (!isUpgrade(request)) return refuse(400, "not a WebSocket request of version 13");
  try {
    if (modules.hub.isClosing) throw new StreamRefusal(503, "this server is stopping");
    const query = parseQuery(/\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "");
    const caller = await admit(request, query, modules);
    const admitted = { caller, isRevoked: watchKey(request, query, modules) };
    const { hub, clock } = modules;
    const options = { maxMessageBytes: maxRequestBytes, incoming: hub.incoming, nowMs: () => clock.monotonic() };
    acceptWebSocket(request, socket, head, options, (connection) => {
      const stream = new StreamSocket(connection, request, admitted, modules);
      stream.open();
      return stream;
    });
  } catch (error) {
    const { status, text } = refusalOf(error);
    refuse(status, text);
  }
}

/** A caller who was let in. */
interface Admitted {
  readonly caller: Caller;
  readonly isRevoked: () => boolean;
}

/** One WebSocket: requests in, answers and events out. */
class StreamSocket implements Transport, WebSocketListener {
  readonly #modules: StreamModules;
  readonly #caller: Caller;
  readonly #isRevoked: () => boolean;
  readonly #headers: RequestHeaders;
  readonly #leaves: (() => void)[] = [];
  readonly #ended = new AbortController();
  readonly #socket: WebSocketConnection;
  #connection: StreamConnection | undefined;
  #receivedAtMs: number;
  #pingedAtMs: number;
  #progressAtMs = 0;
  #unreadable = 0;
  /** Requests are answered in the order in which they came. */
  readonly #requests: string[] = [];
  #requestBytes = 0;
  #isAnswering = false;

  constructor(socket: WebSocketConnection, request: IncomingMessage, admitted: Admitted, modules: StreamModules) {
    this.#socket = socket;
    this.#modules = modules;
    this.#caller = admitted.caller;
    this.#isRevoked = admitted.isRevoked;
    this.#headers = request.headers;
    this.#receivedAtMs = modules.clock.monotonic();
    this.#pingedAtMs = this.#receivedAtMs;
  }

  /** Takes its place among the connections, or is closed where there is none left. */
  open(): void {
    const { hub, limits } = this.#modules;
    try {
      this.#leaves.push(limits.take(this.#caller));
    } catch (error) {
      this.#socket.send(JSON.stringify({ error: refusalOf(error).text }));
      this.#socket.close(closeCodes.policy, "connection limit reached");
      return;
    }
    const { connection, leave } = hub.join(this);
    this.#connection = connection;
    this.#leaves.push(
      leave,
      hub.everySecond(() => this.#tick()),
    );
  }

  get waitingBytes(): number {
    return this.#socket.waitingBytes;
  }

  get needsDrain(): boolean {
    return this.#socket.needsDrain;
  }

  send(json: string): void {
    this.#socket.send(json);
  }

  keepAlive(): void {
    this.#socket.ping();
  }

  onDrain(listener: () => void): void {
    this.#socket.onDrain(listener);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #tick(): void {
    const now = this.#modules.clock.monotonic();
    if (this.#isRevoked()) {
      this.#connection?.close(closeCodes.policy, revokedReason);
      return;
    }
    if (now - this.#receivedAtMs > silentMs) {
      this.#connection?.close(closeCodes.goingAway, "no data was received for a minute");
      return;
    }
    if (now - this.#pingedAtMs >= pingMs) {
      this.#pingedAtMs = now;
      this.#socket.ping();
    }
    if (now - this.#progressAtMs < progressMs || this.waitingBytes > 0) return;
    this.#progressAtMs = now;
    const cursor = this.#connection?.findProgress();
    if (cursor !== undefined)
      this.send(JSON.stringify({ type: "progress", cursor, mc_seqno: this.#connection?.mcSeqno }));
  }

  received(): void {
    this.#receivedAtMs = this.#modules.clock.monotonic();
  }

  message(text: string): void {
    if (this.#requests.length >= maxWaitingRequests || this.#requestBytes + text.length > maxWaitingRequestBytes) {
      this.#socket.refuse(
        `too many waiting requests (limit ${maxWaitingRequests} requests, ${maxWaitingRequestBytes} bytes)`,
      );
      return;
    }
    this.#requests.push(text);
    this.#requestBytes += text.length;
    if (!this.#isAnswering) void this.#answerAll();
  }

  /** Answers what waits, one request at a time, as long as the connection lives. */
  async #answerAll(): Promise<void> {
    this.#isAnswering = true;
    for (let text = this.#requests.shift(); text !== undefined; text = this.#requests.shift()) {
      await this.#answer(text);
      this.#requestBytes -= text.length;
    }
    this.#isAnswering = false;
  }

  /** What waits for the connection ends with it. */
  closed(): void {
    this.#requests.length = 0;
    this.#ended.abort(new LibError("lib/aborted", "the client disconnected"));
    for (const leave of this.#leaves) leave();
  }

  async #answer(text: string): Promise<void> {
    const envelope = await readEnvelope(text);
    if (envelope === undefined) {
      this.#unreadable += 1;
      if (this.#unreadable >= maxUnreadable) return this.#connection?.close(closeCodes.notJson, "no JSON");
      return this.#connection?.answer(JSON.stringify({ error: "invalid request envelope: it must be a JSON object" }));
    }
    this.#unreadable = 0;
    try {
      await this.#modules.access.charge(this.#caller);
      await this.#run(envelope);
    } catch (error) {
      this.#connection?.answer(JSON.stringify({ ...echoId(envelope.id), error: refusalOf(error).text }));
    }
  }

  async #run(requestArgs: RequestArgs): Promise<void> {
    switch (requestArgs.operation) {
      case "ping":
        return this.#connection?.answer(acknowledge("pong", requestArgs.id));
      case "subscribe":
        return this.#subscribe(requestArgs);
      case "unsubscribe":
        return this.#unsubscribe(requestArgs);
      default:
        throw new StreamRefusal(400, `unknown operation: ${asText(requestArgs.operation ?? "").slice(0, 100)}`);
    }
  }

  async #subscribe(requestArgs: RequestArgs): Promise<void> {
    const { hub, limits, mayAskForAll, refuseOutside } = this.#modules;
    const connection = this.#connection;
    if (connection === undefined) return;
    const { subscription, beginning } = readSubscription(requestArgs, {
      wording: wsWording,
      maxAddresses: limits.of(this.#caller).addresses,
      mayAskForAll: mayAskForAll || limits.of(this.#caller).all,
      headers: this.#headers,
      before: connection.subscription,
    });
    await refuseOutside(subscription);
    const { after, replay, existing } = await hub.begin(beginning, this.#ended.signal);
    if (connection.isClosed) return;
    connection.subscribe(subscription, after, replay);
    connection.answer(
      acknowledge("subscribed", requestArgs.id, subscription.hasCursor ? connection.cursor() : undefined, replay),
    );
    hub.start(connection, existing);
  }

  #unsubscribe(requestArgs: RequestArgs): void {
    const [addresses, traces] = [listOf(requestArgs.addresses), listOf(requestArgs.trace_external_hash_norms)];
    if (addresses.length === 0 && traces.length === 0)
      throw new StreamRefusal(400, "addresses or trace_external_hash_norms are required");
    const { subscription } = this.#connection ?? {};
    const [gone, goneTraces] = [new Set(addresses.map(readAddress)), new Set(traces.map(readTraceHash))];
    if (subscription !== undefined) {
      this.#connection?.change({
        ...subscription,
        addresses: new Set([...subscription.addresses].filter((each) => !gone.has(each))),
        traces: new Set([...subscription.traces].filter((each) => !goneTraces.has(each))),
      });
    }
    this.#connection?.answer(acknowledge("unsubscribed", requestArgs.id));
  }
}

function listOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new StreamRefusal(400, "invalid unsubscribe request: it must have lists of strings");
  return value;
}

async function readEnvelope(text: string): Promise<RequestArgs | undefined> {
  try {
    return findProperties(await readInTurns(parseJsonInSteps(text, { maxDepth: 64, maxLength: maxRequestBytes })));
  } catch {
    return undefined;
  }
}
