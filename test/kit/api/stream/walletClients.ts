import { setTimeout } from "node:timers/promises";
import { SseClient, type StreamJson, WsClient } from "./streamClients.ts";

/*
 * Clients of streams as wallets and libraries have them, written to what each of them demands of a server: the packages
 * themselves are on no registry. Each keeps what it would act on, and throws where the original would.
 */

const levels: readonly unknown[] = ["pending", "confirmed", "finalized"];
const levelOf = (finality: unknown) => levels.indexOf(finality);

export interface WalletClient {
  /** What the wallet acts on. */
  readonly taken: readonly StreamJson[];
  /** What the original would throw or log as broken. */
  readonly faults: readonly string[];
  /** Resolves once it is subscribed. */
  readonly ready: Promise<void>;
  close(): void;
}

/** A WebSocket that comes back with its whole subscription after every loss, as wallets keep one. */
abstract class SocketWallet implements WalletClient {
  readonly taken: StreamJson[] = [];
  readonly faults: string[] = [];
  readonly ready: Promise<void>;
  connections = 0;
  readonly #url: string;
  #socket: WsClient | undefined;
  #isClosed = false;

  constructor(url: string) {
    this.#url = url;
    let isReady = () => {};
    this.ready = new Promise((resolve) => {
      isReady = resolve;
    });
    void this.#keepOpen(isReady);
  }

  /** The subscription, with the id of its request. */
  protected abstract request(connection: number): StreamJson;
  /** Whether a message is the answer to that request. */
  protected abstract isAnswer(message: StreamJson, connection: number): boolean;
  protected abstract take(event: StreamJson): void;
  protected abstract readonly ping: StreamJson;

  /** Loses the connection, as a phone does. */
  lose(): void {
    this.#socket?.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  async #keepOpen(isReady: () => void): Promise<void> {
    for (let waitMs = 500; !this.#isClosed; waitMs = Math.min(waitMs * 2, 8_000)) {
      const socket = new WsClient(this.#url);
      this.#socket = socket;
      const connection = ++this.connections;
      const status = await socket.opened.catch(() => 0);
      if (status === 101) {
        socket.onMessage = (message) => this.#hear(message, connection, isReady);
        socket.send(this.request(connection));
        socket.send(this.ping);
        await socket.closed;
        waitMs = 250;
      }
      if (!this.#isClosed) await setTimeout(waitMs);
    }
  }

  #hear(message: StreamJson, connection: number, isReady: () => void): void {
    if (message.error !== undefined) this.faults.push(String(message.error));
    else if (typeof message.type === "string") this.take(message);
    else if (this.isAnswer(message, connection)) isReady();
    else if (message.status !== "pong") this.faults.push(`an unknown answer: ${JSON.stringify(message)}`);
  }
}

/** The kit of wallets and apps: drops what is less final than what it has seen of a trace. */
export class WalletKitClient extends SocketWallet {
  protected readonly ping = { operation: "ping", id: "ping-1" };
  readonly #addresses: readonly string[];
  readonly #seen = new Map<unknown, number>();

  constructor(url: string, addresses: readonly string[]) {
    super(`${url}/ws?api_key=`);
    this.#addresses = addresses;
  }

  protected request(connection: number): StreamJson {
    const types = ["transactions", "account_state_change", "jettons_change"];
    const flags = { min_finality: "pending", include_metadata: true };
    return { operation: "subscribe", id: `sub-${connection}`, types, addresses: this.#addresses, ...flags };
  }

  protected isAnswer({ id, status }: StreamJson, connection: number): boolean {
    return id === `sub-${connection}` && status === "subscribed";
  }

  protected take(event: StreamJson): void {
    const { type, finality, trace_external_hash_norm: trace } = event;
    if (type === "trace_invalidated") this.#seen.delete(trace);
    const level = levelOf(finality);
    if (type === "transactions" && level < (this.#seen.get(trace) ?? -1)) return;
    if (type === "transactions") this.#seen.set(trace, level);
    this.taken.push(event);
  }
}

/** A wallet for browsers and phones: counts its requests in numbers, and needs the accounts of every action. */
export class CountingWalletClient extends SocketWallet {
  protected readonly ping = { operation: "ping" };
  readonly #addresses: readonly string[];

  constructor(url: string, addresses: readonly string[]) {
    super(`${url}/ws`);
    this.#addresses = addresses;
  }

  protected request(connection: number): StreamJson {
    const types = ["actions", "account_state_change", "jettons_change"];
    const includes = { include_address_book: true, include_metadata: true, supported_action_types: ["v1"] };
    const base = { operation: "subscribe", id: connection, types, addresses: this.#addresses };
    return { ...base, min_finality: "pending", ...includes };
  }

  protected isAnswer({ id, status }: StreamJson, connection: number): boolean {
    return id === connection && status === "subscribed";
  }

  protected take(event: StreamJson): void {
    const actions = (event.actions ?? []) as readonly StreamJson[];
    if (!actions.every(({ accounts }) => Array.isArray(accounts))) this.faults.push("an action without accounts");
    this.taken.push(event);
  }
}

/** The wallet of a desktop messenger: reads balances as text. */
export class MessengerClient extends SocketWallet {
  protected readonly ping = { operation: "ping", id: "p" };
  readonly #addresses: readonly string[];

  constructor(url: string, addresses: readonly string[]) {
    super(`${url}/ws`);
    this.#addresses = addresses;
  }

  protected request(): StreamJson {
    const types = ["account_state_change", "transactions"];
    return { operation: "subscribe", id: "s", types, addresses: this.#addresses, min_finality: "pending" };
  }

  protected isAnswer({ id, status }: StreamJson): boolean {
    return id === "s" && status === "subscribed";
  }

  protected take(event: StreamJson): void {
    const state = event.state as StreamJson | undefined;
    if (state !== undefined && typeof state.balance !== "string") this.faults.push("a balance that is no text");
    this.taken.push(event);
  }
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** What a client with declared messages refuses: unknown types, levels out of place, lists where objects belong. */
export function findFault(event: StreamJson): string | undefined {
  const { type, finality, address_book: book, metadata } = event;
  const isShaped: Readonly<Record<string, () => boolean>> = {
    transactions: () => Array.isArray(event.transactions) && levelOf(finality) >= 0,
    actions: () => Array.isArray(event.actions) && levelOf(finality) >= 0,
    trace: () =>
      isObject(event.trace) && isObject(event.transactions) && Array.isArray(event.actions) && levelOf(finality) >= 0,
    account_state_change: () => isObject(event.state) && levelOf(finality) >= 1,
    jettons_change: () => isObject(event.jetton) && levelOf(finality) >= 1,
    trace_invalidated: () => Object.keys(event).length === 2,
  };
  const shape = Object.hasOwn(isShaped, String(type)) ? isShaped[String(type)] : undefined;
  if (shape === undefined) return `an unknown type: ${String(type)}`;
  if (!shape()) return `a malformed event: ${JSON.stringify(event).slice(0, 200)}`;
  const isBad = [book, metadata].some((each) => each !== undefined && !isObject(each));
  return isBad ? "a book or metadata that are no objects" : undefined;
}

/** The streaming clients of a library for contracts: every message has a declared form. */
export class LibraryClient implements WalletClient {
  readonly taken: StreamJson[] = [];
  readonly faults: string[] = [];
  readonly ready: Promise<void>;
  readonly #client: SseClient;

  constructor(url: string, subscription: StreamJson) {
    const client = new SseClient(`${url}/sse`, { ...subscription, id: "1" });
    this.#client = client;
    this.ready = this.#listen(client);
  }

  close(): void {
    this.#client.close();
  }

  async #listen(client: SseClient): Promise<void> {
    let isReady = () => {};
    const ready = new Promise<void>((resolve) => {
      isReady = resolve;
    });
    client.onMessage = ({ json }) => {
      if (typeof json.status === "string") {
        if (json.id !== "1") this.faults.push("an answer without its id");
        isReady();
        return;
      }
      const fault = findFault(json);
      if (fault === undefined) this.taken.push(json);
      else this.faults.push(fault);
    };
    const status = await client.opened;
    if (status !== 200) throw new Error(`status ${status}: ${client.text}`);
    await ready;
  }
}

/** A service that takes payments: reads lines that begin with `data:` and nothing else. */
export class PaymentsClient implements WalletClient {
  readonly faults: string[] = [];
  readonly ready: Promise<void>;
  readonly #client: SseClient;

  constructor(url: string, addresses: readonly string[]) {
    const body = { types: ["transactions"], addresses, min_finality: "pending" };
    this.#client = new SseClient(`${url}/sse`, body, { "x-api-key": "" });
    this.ready = this.#untilSubscribed();
  }

  get taken(): readonly StreamJson[] {
    return this.#lines().filter(({ type }) => type !== undefined);
  }

  close(): void {
    this.#client.close();
  }

  async #untilSubscribed(): Promise<void> {
    const status = await this.#client.opened;
    if (status !== 200) throw new Error(`status ${status}: ${this.#client.text}`);
    while (!this.#lines().some((line) => line.status === "subscribed")) await setTimeout(20);
  }

  #lines(): readonly StreamJson[] {
    // A line counts once it is whole.
    const lines = this.#client.text.slice(0, this.#client.text.lastIndexOf("\n") + 1).split("\n");
    return lines.filter((line) => line.startsWith("data:")).map((line) => JSON.parse(line.slice(5)) as StreamJson);
  }
}
