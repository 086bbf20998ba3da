import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { parseJson } from "../../lib/json.ts";
import type { Caller } from "../access/Caller.ts";
import { findProperties, parseQuery, type RequestArgs } from "../http/requestArgs.ts";
import type { StreamConnection } from "./StreamConnection.ts";
import { admit, refusalOf, revokedReason, watchKey } from "./StreamEntry.ts";
import type { StreamModules } from "./StreamModules.ts";
import { StreamRefusal } from "./StreamRefusal.ts";
import { readAddress, readSubscription, readTraceHash, wsWording } from "./Subscription.ts";
import { acknowledge, isId } from "./serveSse.ts";
import { closeCodes, type Transport } from "./Transport.ts";
import { acceptUpgrade, isUpgrade, refuseUpgrade, WebSocketConnection } from "./websocket/WebSocketServer.ts";

const maxRequestBytes = 1 << 20;
const pingMs = 20_000;
const silentMs = 60_000;
const progressMs = 5_000;
/** So many messages in a row that are no JSON end a connection. */
const mostUnreadable = 3;

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
  if (!isUpgrade(request)) return refuse(400, "this is no request for a WebSocket of version 13");
  try {
    if (modules.hub.isClosing) throw new StreamRefusal(503, "this server is stopping");
    const query = parseQuery(/\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "");
    const caller = await admit(request, query, modules);
    if (socket.destroyed) return;
    acceptUpgrade(request, socket);
    new StreamSocket(request, socket, head, { caller, isRevoked: watchKey(request, query, modules) }, modules).open();
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
class StreamSocket implements Transport {
  readonly #modules: StreamModules;
  readonly #caller: Caller;
  readonly #isRevoked: () => boolean;
  readonly #actionsVersion: string | undefined;
  readonly #socket: WebSocketConnection;
  readonly #leaves: (() => void)[] = [];
  #connection: StreamConnection | undefined;
  #receivedAtMs: number;
  #pingedAtMs: number;
  #progressAtMs = 0;
  #unreadable = 0;
  /** Requests are answered in the order in which they came. */
  #turn: Promise<void> = Promise.resolve();

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer, admitted: Admitted, modules: StreamModules) {
    this.#modules = modules;
    this.#caller = admitted.caller;
    this.#isRevoked = admitted.isRevoked;
    this.#actionsVersion = request.headers["x-actions-version"]?.toString();
    this.#receivedAtMs = modules.clock.monotonic();
    this.#pingedAtMs = this.#receivedAtMs;
    this.#socket = new WebSocketConnection(socket, head, maxRequestBytes, {
      message: (text) => {
        this.#turn = this.#turn.then(() => this.#answer(text));
      },
      received: () => {
        this.#receivedAtMs = modules.clock.monotonic();
      },
      closed: () => {
        for (const leave of this.#leaves) leave();
      },
    });
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
      this.#connection?.close(closeCodes.goingAway, "nothing was received for a minute");
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

  async #answer(text: string): Promise<void> {
    const given = readEnvelope(text);
    if (given === undefined) {
      this.#unreadable += 1;
      if (this.#unreadable >= mostUnreadable) return this.#socket.close(closeCodes.notJson, "no JSON");
      return this.send(JSON.stringify({ error: "invalid request envelope: it must be a JSON object" }));
    }
    this.#unreadable = 0;
    try {
      await this.#modules.access.charge(this.#caller);
      await this.#run(given);
    } catch (error) {
      this.send(JSON.stringify({ ...(isId(given.id) && { id: given.id }), error: refusalOf(error).text }));
    }
  }

  async #run(given: RequestArgs): Promise<void> {
    switch (given.operation) {
      case "ping":
        return this.send(acknowledge("pong", given.id));
      case "subscribe":
        return this.#subscribe(given);
      case "unsubscribe":
        return this.#unsubscribe(given);
      default:
        throw new StreamRefusal(400, `unknown operation: ${String(given.operation ?? "").slice(0, 100)}`);
    }
  }

  async #subscribe(given: RequestArgs): Promise<void> {
    const { hub, limits, mayAskForAll, refuseOutside } = this.#modules;
    const connection = this.#connection;
    if (connection === undefined) return;
    const { subscription, beginning } = readSubscription(given, {
      wording: wsWording,
      maxAddresses: limits.of(this.#caller).addresses,
      mayAskForAll: mayAskForAll || limits.of(this.#caller).all,
      actionsVersion: this.#actionsVersion,
      before: connection.subscription,
    });
    await refuseOutside(subscription);
    const { after, replay, existing } = await hub.begin(beginning);
    connection.subscribe(subscription, after, replay);
    this.send(acknowledge("subscribed", given.id, subscription.hasCursor ? connection.cursor() : undefined, replay));
    hub.start(connection, existing);
  }

  #unsubscribe(given: RequestArgs): void {
    const [addresses, traces] = [listOf(given.addresses), listOf(given.trace_external_hash_norms)];
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
    this.send(acknowledge("unsubscribed", given.id));
  }
}

function listOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new StreamRefusal(400, "invalid unsubscribe request: it must have lists of strings");
  return value;
}

function readEnvelope(text: string): RequestArgs | undefined {
  try {
    return findProperties(parseJson(text, { maxDepth: 64, maxLength: maxRequestBytes }));
  } catch {
    return undefined;
  }
}
