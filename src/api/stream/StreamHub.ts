import type { Extent } from "../../history/events/EventLog.ts";
import type { CancelTimer, Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { endOf, findPosition, type StreamPosition } from "./cursor.ts";
import type { Descriptions } from "./eventDescription.ts";
import type { MessageStatus } from "./pendingStream.ts";
import type { ConfirmedChanges, StreamBlock, StreamTrace } from "./StreamBlock.ts";
import { keptBlocks, StreamBlocks } from "./StreamBlocks.ts";
import { type ConnectionModules, type ReplayRange, StreamConnection } from "./StreamConnection.ts";
import { StreamRefusal } from "./StreamRefusal.ts";
import type { Beginning } from "./Subscription.ts";
import { closeCodes, type Transport } from "./transport/Transport.ts";
import { IncomingBytes } from "./websocket/IncomingBytes.ts";

/** The source of blocks for a hub. */
export interface StreamSource {
  /** The range of readable blocks; `undefined` before the first. */
  readonly extent: () => Extent | undefined;
  readonly onExtent: (listener: (extent: Extent) => void) => () => void;
  /** Reads a block that is within the extent. */
  readonly readBlock: (mcSeqno: number) => Promise<StreamBlock>;
  /** Reads only what changed with it. */
  readonly readChanges: (mcSeqno: number) => Promise<StreamChanges>;
  readonly describe: (involved: readonly Address[]) => Promise<Descriptions>;
  /** The current predictions for these accounts and messages. */
  readonly listPending: (accounts: Iterable<Address>, messages: Iterable<Hash>) => Promise<readonly StreamTrace[]>;
}

/** The time of a block, the accounts that it changed, and the messages whose traces ended with it. */
export interface StreamChanges {
  readonly utime: number;
  readonly accounts: ReadonlySet<Address>;
  readonly ended: readonly Hash[];
}

export interface StreamHubModules {
  readonly source: StreamSource;
  readonly zeroState: Hash;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StreamCounters {
  readonly connections: number;
  readonly events: number;
  readonly slow: number;
  readonly waitingBytes: number;
}

/** Limits of unsent bytes, for all connections together and for each; those that wait share the first one. */
const maxWaitingBytes = 64 << 20;
const maxPerConnection = 1 << 20;
const leastPerConnection = 32 << 10;
/** A client with a cursor is disconnected if it reads nothing for this long. */
const stalledMs = 60_000;
const tickMs = 1_000;
/** How long to wait for a position ahead of the index. */
const aheadMs = 10_000;
/** Predictions that are neither renewed nor retracted expire after this time. */
const predictedMs = 11 * 60_000;
/** Number of finished traces that are remembered. */
const maxSettled = 10_000;
/** Number of messages whose last status is kept. */
const maxStatuses = 10_000;
/** How far back `replay_existing` looks, in seconds of the chain. */
const existingSeconds = 60;

/** The start of a subscription. */
export interface FoundBeginning {
  readonly after: StreamPosition;
  /** The blocks to replay. */
  readonly replay: ReplayRange | undefined;
  /** The blocks whose newest events are shown first. */
  readonly existing: ReplayRange | undefined;
}

/** All connections of one network. A block that several of them need is read once. */
export class StreamHub {
  /** What the WebSockets hold of messages that are not complete. */
  readonly incoming = new IncomingBytes();
  readonly #modules: StreamHubModules;
  readonly #connections = new Set<StreamConnection>();
  /** Those whose client has not taken everything. */
  readonly #waiting = new Set<Transport>();
  readonly #blocks: StreamBlocks;
  readonly #stop: () => void;
  readonly #finalTraces = new Set<Hash>();
  /** Traces whose known transactions are all in blocks, and that are not final. */
  readonly #confirmed = new Set<Hash>();
  /** The last status of each message that is not final. */
  readonly #statuses = new Map<Hash, MessageStatus>();
  readonly #onTick = new Set<() => void>();
  /** Predicted traces that are not final, with the time of their last prediction. */
  readonly #predictedAtMs = new Map<Hash, number>();
  /** The newest block passed to the connections. */
  #handedOut: number | undefined;
  #cancelTick: CancelTimer | undefined;
  #events = 0;
  #isClosing = false;
  #newest: Promise<void> = Promise.resolve();

  constructor(modules: StreamHubModules) {
    this.#modules = modules;
    const { extent, readBlock } = modules.source;
    this.#blocks = new StreamBlocks({ last: () => extent()?.last, readBlock });
    this.#handedOut = extent()?.last;
    this.#stop = modules.source.onExtent(() => this.#advance());
    this.#tick();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  counters(): StreamCounters {
    const all = [...this.#connections];
    const waiting = all.map(({ waitingBytes }) => waitingBytes);
    return {
      connections: all.length,
      events: this.#events,
      slow: waiting.filter((bytes) => bytes > 0).length,
      waitingBytes: waiting.reduce((sum, bytes) => sum + bytes, 0),
    };
  }

  /** Adds a connection; `leave` removes it. */
  join(transport: Transport): { readonly connection: StreamConnection; readonly leave: () => void } {
    let hasLeft = false;
    const onWait = (isWaiting: boolean): void => {
      if (isWaiting && !hasLeft) this.#waiting.add(transport);
      else this.#waiting.delete(transport);
    };
    const connection = new StreamConnection(transport, { ...this.#connectionModules(), onWait });
    this.#connections.add(connection);
    const leave = () => {
      connection.ended();
      this.#connections.delete(connection);
      hasLeft = true;
      this.#waiting.delete(transport);
    };
    return { connection, leave };
  }

  /** Calls every second; returns a function that stops it. */
  everySecond(work: () => void): () => void {
    this.#onTick.add(work);
    return () => this.#onTick.delete(work);
  }

  /**
   * The start of a subscription and the blocks to replay; rejects an unreachable position, and waits until `signal`.
   */
  async begin(beginning: Beginning, signal?: AbortSignal): Promise<FoundBeginning> {
    const place = await this.#findBeginning(beginning, signal);
    if (place === undefined) await this.#waitForFirst(signal);
    const extent = this.#modules.source.extent();
    if (place === undefined) {
      const existing = beginning.replayExisting ? await this.#findExisting() : undefined;
      return { after: endOf(existing?.to ?? extent?.last ?? 0), replay: undefined, existing };
    }
    if (extent === undefined) throw new StreamRefusal(503, "replay is not configured");
    const from = place.rank === endOf(0).rank ? place.mcSeqno + 1 : place.mcSeqno;
    if (from < extent.first)
      throw new StreamRefusal(410, `cursor is older than the index: its first block is ${extent.first}`);
    return { after: place, replay: from <= extent.last ? { from, to: extent.last } : undefined, existing: undefined };
  }

  async #findBeginning({ after, fromSeqno }: Beginning, signal?: AbortSignal): Promise<StreamPosition | undefined> {
    const { zeroState } = this.#modules;
    if (after !== undefined) {
      const place = findPosition(after, zeroState);
      if (place === undefined) throw new StreamRefusal(400, "invalid cursor");
      await this.#waitFor(place.mcSeqno, signal);
      return place;
    }
    if (fromSeqno !== undefined) {
      await this.#waitFor(fromSeqno - 1, signal);
      return endOf(fromSeqno - 1);
    }
    return undefined;
  }

  /** The blocks to show to a client that requests existing events. */
  async #findExisting(): Promise<ReplayRange | undefined> {
    const extent = this.#modules.source.extent();
    if (extent === undefined) return undefined;
    const { utime } = await this.#blocks.read(extent.last);
    let seqno = extent.last;
    while (seqno > extent.first && extent.last - seqno < keptBlocks * 4) {
      if ((await this.#blocks.read(seqno - 1)).utime < utime - existingSeconds) break;
      seqno -= 1;
    }
    return { from: seqno, to: extent.last };
  }

  /** A new process, or an empty index, does not know its position yet. */
  async #waitForFirst(signal?: AbortSignal): Promise<void> {
    const { source, clock } = this.#modules;
    const until = clock.monotonic() + aheadMs;
    while (source.extent() === undefined) {
      if (clock.monotonic() > until || this.#isClosing) throw new StreamRefusal(503, "the index has no block yet");
      await clock.sleep(50, signal);
    }
  }

  /** Another process may be ahead: waits for its position for a while. */
  async #waitFor(mcSeqno: number, signal?: AbortSignal): Promise<void> {
    const { source, clock } = this.#modules;
    const until = clock.monotonic() + aheadMs;
    while ((source.extent()?.last ?? -1) < mcSeqno) {
      if (source.extent() === undefined && clock.monotonic() > until)
        throw new StreamRefusal(503, "replay is not configured");
      if (clock.monotonic() > until || this.#isClosing) throw new StreamRefusal(503, "index is behind the cursor");
      await clock.sleep(50, signal);
    }
  }

  /** Without connections nobody needs the whole block, which may have thousands of messages. */
  async readChanges(mcSeqno: number): Promise<StreamChanges> {
    if (this.#connections.size === 0) return this.#modules.source.readChanges(mcSeqno);
    return changesOf(await this.#blocks.read(mcSeqno));
  }

  /** Starts sending: first existing events and predictions, if requested, then blocks. */
  start(connection: StreamConnection, existing: ReplayRange | undefined): void {
    void this.#startWith(connection, existing);
  }

  async #startWith(connection: StreamConnection, existing: ReplayRange | undefined): Promise<void> {
    const { subscription } = connection;
    for (const external of subscription?.traces ?? []) {
      const status = this.#statuses.get(external);
      if (status !== undefined) connection.tellStatus(status);
    }
    if (existing !== undefined && subscription !== undefined) {
      await connection.sendExisting(existing);
      for (const trace of await this.#modules.source.listPending(subscription.addresses, subscription.traces))
        if (!this.#finalTraces.has(trace.external)) await connection.predict(trace);
    }
    connection.advance();
  }

  /** Sends a prediction, unless the chain has finalized it in the meantime. */
  predict(trace: StreamTrace): void {
    const { external, finality } = trace;
    // The levels of a trace do not go down.
    if (this.#finalTraces.has(external) || (finality === "pending" && this.#confirmed.has(external))) return;
    if (finality === "confirmed") this.#confirmed.add(external);
    dropOldest(this.#confirmed, maxSettled);
    this.#predictedAtMs.set(trace.external, this.#modules.clock.monotonic());
    for (const connection of this.#connections) void connection.predict(trace);
  }

  /** Sends what changed in shard blocks that the masterchain has not committed. */
  tellChanges(changes: ConfirmedChanges): void {
    for (const connection of this.#connections) void connection.tellChanges(changes);
  }

  /** Sends the new status of a message, and keeps it for those who subscribe after they sent it. */
  tellStatus(status: MessageStatus): void {
    const { external } = status;
    if (this.#statuses.get(external)?.status === status.status) return;
    this.#statuses.delete(external);
    this.#statuses.set(external, status);
    dropOldest(this.#statuses, maxStatuses);
    for (const connection of this.#connections) connection.tellStatus(status);
  }

  invalidate(external: Hash): void {
    this.#predictedAtMs.delete(external);
    this.#confirmed.delete(external);
    for (const connection of this.#connections) connection.invalidate(external);
  }

  /** Accepts no more connections, sends waiting events for at most this time, and closes all. */
  async close(drainMs: number): Promise<void> {
    this.#isClosing = true;
    this.#stop();
    this.#cancelTick?.();
    const { clock } = this.#modules;
    for (const connection of this.#connections) connection.close(closeCodes.goingAway, "this server is stopping");
    const until = clock.monotonic() + drainMs;
    while (this.#connections.size > 0 && clock.monotonic() < until) await clock.sleep(20);
    for (const connection of this.#connections) connection.destroy();
    this.#connections.clear();
  }

  #connectionModules(): Omit<ConnectionModules, "onWait"> {
    const { source, zeroState, clock } = this.#modules;
    return {
      zeroState,
      last: () => source.extent()?.last ?? -1,
      block: (mcSeqno) => this.#blocks.read(mcSeqno),
      describe: source.describe,
      maxWaitingBytes: () =>
        Math.max(leastPerConnection, Math.min(maxPerConnection, maxWaitingBytes / this.#waiting.size)),
      delivered: (events) => {
        this.#events += events;
      },
      isFinal: (external) => this.#finalTraces.has(external),
      nowMs: () => clock.monotonic(),
    };
  }

  /** Reads each new block once and passes it to all waiting connections. */
  #advance(): void {
    this.#newest = this.#newest.then(async () => {
      const last = this.#modules.source.extent()?.last;
      if (last === undefined) return;
      const from = Math.max((this.#handedOut ?? last - 1) + 1, last - keptBlocks + 1);
      this.#handedOut = last;
      if (this.#connections.size === 0 && this.#predictedAtMs.size === 0) return;
      try {
        for (let seqno = from; seqno <= last; seqno++) await this.#handOut(seqno);
      } catch (error) {
        this.#modules.log.warn("a block cannot be read for streams", { error });
      }
    });
  }

  async #handOut(seqno: number): Promise<void> {
    if (this.#connections.size === 0) {
      this.#noteFinal(await this.#modules.source.readChanges(seqno));
      // One that came in the meantime may have asked before the block was there.
      if (this.#connections.size === 0) return;
    }
    const block = await this.#blocks.read(seqno);
    this.#noteFinal(changesOf(block));
    for (const connection of this.#connections) connection.advance(block);
  }

  /** The process that made a prediction may be gone, and will not report its end. */
  #expirePredictions(): void {
    const before = this.#modules.clock.monotonic() - predictedMs;
    for (const [external, atMs] of this.#predictedAtMs) if (atMs < before) this.invalidate(external);
  }

  #noteFinal({ ended }: StreamChanges): void {
    for (const external of ended) {
      this.#finalTraces.add(external);
      this.#predictedAtMs.delete(external);
      this.#confirmed.delete(external);
      this.#statuses.delete(external);
    }
    dropOldest(this.#finalTraces, maxSettled);
  }

  #tick(): void {
    this.#cancelTick = this.#modules.clock.timer(tickMs, () => {
      for (const connection of this.#connections) connection.checkStalled(stalledMs);
      for (const work of this.#onTick) work();
      this.#expirePredictions();
      if (!this.#isClosing) this.#tick();
    });
  }
}

function changesOf({ utime, states, traces }: StreamBlock): StreamChanges {
  const accounts = new Set(states.map(({ account }) => account));
  return { utime, accounts, ended: traces.map(({ external }) => external) };
}

/** Keeps the newest entries. */
function dropOldest(kept: Map<Hash, unknown> | Set<Hash>, max: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= max) return;
    kept.delete(oldest);
  }
}
