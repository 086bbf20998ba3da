import { toHex } from "../../lib/bytes.ts";
import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Database } from "../store/Database.ts";
import { blocksChannel, messagesChannel, notify } from "../store/schema/channels.ts";
import { beginsFact } from "../store/schema/indexFacts.ts";

/** The masterchain blocks that can be read back, without a gap. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

export interface EventLogModules {
  readonly database: Pick<Database, "kind" | "query" | "write"> & Required<Pick<Database, "listen">>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
}

interface MessageListener {
  readonly hear: (payload: string) => void;
  readonly prefix: string;
  /** Until they are read. */
  wantsEarlier: boolean;
}

/** How often the tables are read when a notification was lost, and where there are none. */
const lookEveryMs = 1_000;
const lookUnheardMs = 200;
/** The same for the built-in engine: its only process reports every commit, and nobody else changes the tables. */
const lookOwnMs = 10_000;
/**
 * The maximum number of messages that wait while the database is busy; more are dropped, because predictions are best
 * effort.
 */
const maxUnsent = 1_000;
/** How long predictions are kept for other processes. */
const keepMs = 600_000;

/**
 * The events of an index, in order: blocks that are committed, here or by another process, and messages between the
 * processes of one index. Blocks are in the tables; this says up to which one they can be read.
 */
export class EventLog {
  readonly #modules: EventLogModules;
  readonly #closing = new AbortController();
  readonly #onExtent = new Set<(extent: Extent) => void>();
  readonly #onMessage = new Set<MessageListener>();
  readonly #onChange = new Set<() => void>();
  readonly #origin: string;
  readonly #stops: (() => Promise<void>)[] = [];
  #extent: Extent | undefined;
  #lastMessage: bigint | undefined;
  #looking: Promise<void> | undefined;
  #isStale = false;
  /** Messages that are not yet published to other processes. */
  readonly #unsent: string[] = [];
  #storing: Promise<void> | undefined;
  /** Messages that are published when they and those before them are written. */
  #inOrder: Promise<void> = Promise.resolve();
  #writing = 0;
  #isFailing = false;
  readonly #running: Promise<void>;

  constructor(modules: EventLogModules) {
    this.#modules = modules;
    this.#origin = toHex(modules.random.bytes(8));
    this.#running = this.#run();
  }

  /** The blocks that can be read now; `undefined` before the first one. */
  get extent(): Extent | undefined {
    return this.#extent;
  }

  /** Reports blocks that this process committed. */
  advance(): void {
    this.#lookForListeners();
  }

  onExtent(listener: (extent: Extent) => void): () => void {
    this.#onExtent.add(listener);
    this.#look();
    return () => this.#onExtent.delete(listener);
  }

  /** Calls the listener when another process changed the tables of the index. */
  onChange(listener: () => void): void {
    this.#onChange.add(listener);
  }

  /**
   * Listens to messages that begin with a text, by default to all; those of this process arrive at once. A listener
   * that wants earlier ones also hears what other processes sent before it listened, as long as it is kept.
   */
  onMessage(hear: (payload: string) => void, { prefix = "", wantsEarlier = false } = {}): () => void {
    const listener = { hear, prefix, wantsEarlier };
    this.#onMessage.add(listener);
    if (wantsEarlier) this.#look();
    return () => this.#onMessage.delete(listener);
  }

  /**
   * Sends a message to all processes of the index; best effort. One that is still being written delays those after it.
   */
  publish(payload: string | Promise<string>): void {
    if (typeof payload === "string" && this.#writing === 0) {
      this.#send(payload);
      return;
    }
    this.#writing++;
    // A message that fails while others are before it is handled in its turn.
    Promise.resolve(payload).catch(() => {});
    this.#inOrder = this.#inOrder.then(async () => {
      try {
        this.#send(await payload);
      } catch (error) {
        this.#modules.log.warn("a message of the stream cannot be written", { error });
      } finally {
        this.#writing--;
      }
    });
  }

  #send(payload: string): void {
    this.#deliver(payload);
    if (this.#modules.database.kind !== "postgres" || this.#closing.signal.aborted) return;
    if (this.#unsent.length < maxUnsent) this.#unsent.push(payload);
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "the event log is closed"));
    await this.#running;
    await Promise.all(this.#stops.map((stop) => stop().catch(() => {})));
    await this.#looking;
    await this.#inOrder;
    await this.#storing;
  }

  /** A message that comes while a transaction runs goes into the next one. */
  async #storeAll(): Promise<void> {
    while (this.#unsent.length > 0) {
      try {
        await this.#store(this.#unsent.splice(0));
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#modules.log.warn("predictions cannot be sent to other processes", { error });
        this.#isFailing = true;
      }
    }
  }

  async #store(payloads: readonly string[]): Promise<void> {
    const { database, clock } = this.#modules;
    const now = Math.floor(clock.now());
    await database.write(async (session) => {
      for (const payload of payloads) {
        await session.query("insert into stream_messages (origin, sent_at, payload) values ($1, $2::bigint, $3)", [
          this.#origin,
          String(now),
          payload,
        ]);
      }
      await session.query("delete from stream_messages where sent_at < $1::bigint", [String(now - keepMs)]);
      await notify(session, messagesChannel, "");
    });
  }

  #deliver(payload: string): void {
    for (const { hear, prefix } of this.#onMessage) if (payload.startsWith(prefix)) hear(payload);
  }

  async #run(): Promise<void> {
    const { database, clock, log } = this.#modules;
    const { signal } = this.#closing;
    this.#look();
    try {
      // The database may be opened later.
      for (const channel of [blocksChannel, messagesChannel]) {
        const hear = (): void => {
          this.#lookForListeners();
          if (channel === blocksChannel) for (const listener of this.#onChange) listener();
        };
        const stop = await database.listen(channel, hear, signal);
        if (stop !== undefined) this.#stops.push(stop);
      }
    } catch (error) {
      if (!signal.aborted) log.warn("notifications are not available; polling the index every second", { error });
    }
    while (!signal.aborted) {
      this.#look();
      await clock.sleep(this.#lookAgainMs(), signal).catch(() => {});
    }
  }

  #lookAgainMs(): number {
    if (this.#modules.database.kind === "embedded") return this.#hasListeners ? lookOwnMs : lookEveryMs;
    return this.#stops.length > 0 ? lookEveryMs : lookUnheardMs;
  }

  get #hasListeners(): boolean {
    return this.#onExtent.size > 0 || this.#onMessage.size > 0;
  }

  /**
   * Processes that only index have no listeners. With each of them reading after each commit of all, their number would
   * count twice; what is read every second is enough for them.
   */
  #lookForListeners(): void {
    if (this.#hasListeners) this.#look();
  }

  /** One read at a time; a notification in the meantime causes another one. */
  #look(): void {
    this.#isStale = true;
    if (this.#looking !== undefined || this.#closing.signal.aborted) return;
    this.#looking = this.#lookUntilFresh().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookUntilFresh(): Promise<void> {
    while (this.#isStale && !this.#closing.signal.aborted) {
      this.#isStale = false;
      try {
        // Messages come first: a prediction about a block is older than the block.
        if (this.#modules.database.kind === "postgres") await this.#readMessages();
        await this.#readExtent();
      } catch {
        // The condition of an unreachable database is reported elsewhere; it is read again later.
        return;
      }
    }
  }

  async #readExtent(): Promise<void> {
    // Blocks older than the kept history are removed.
    const [row] = await this.#modules.database.query(
      `select greatest(first_seqno, (select value::int from index_facts where name = '${beginsFact}')) as first_seqno, next_seqno
       from segments where next_seqno > first_seqno order by next_seqno desc limit 1`,
      [],
      { plan: "kept" },
    );
    if (row === undefined) return;
    const extent = { first: Number(row.first_seqno), last: Number(row.next_seqno) - 1 };
    const before = this.#extent;
    this.#extent = extent;
    if (before?.last !== extent.last || before.first !== extent.first)
      for (const listener of this.#onExtent) listener(extent);
  }

  /** What other processes sent up to the last message that was read. */
  async #readEarlier(listener: MessageListener): Promise<void> {
    const rows = await this.#modules.database.query(
      `select payload from stream_messages
       where id <= $1::bigint and origin <> $2 and starts_with(payload, $3) order by id`,
      [String(this.#lastMessage ?? 0), this.#origin, listener.prefix],
    );
    listener.wantsEarlier = false;
    for (const { payload } of rows) listener.hear(String(payload));
  }

  async #readMessages(): Promise<void> {
    const { database } = this.#modules;
    if (this.#lastMessage === undefined) {
      const [row] = await database.query("select coalesce(max(id), 0) as id from stream_messages");
      this.#lastMessage = BigInt(String(row?.id ?? 0));
    }
    for (const listener of this.#onMessage) if (listener.wantsEarlier) await this.#readEarlier(listener);
    const rows = await database.query(
      "select id, origin, payload from stream_messages where id > $1::bigint order by id",
      [String(this.#lastMessage)],
    );
    for (const { id, origin, payload } of rows) {
      this.#lastMessage = BigInt(String(id));
      if (origin !== this.#origin) this.#deliver(String(payload));
    }
  }
}
