import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { comparePositions, endOf, formatCursor, ranks, type StreamPosition } from "./cursor.ts";
import { EventQueue } from "./EventQueue.ts";
import { type Descriptions, describeEvent, needsDescription } from "./eventDescription.ts";
import type { MessageStatus } from "./pendingStream.ts";
import {
  hasActions,
  renderBlock,
  renderConfirmed,
  renderPending,
  renderRetraction,
  renderStatus,
  type StreamEvent,
  snapshotName,
} from "./renderEvents.ts";
import type { ConfirmedChanges, StreamBlock, StreamTrace } from "./StreamBlock.ts";
import type { Subscription } from "./Subscription.ts";
import { closeCodes, type Transport } from "./transport/Transport.ts";

export interface ConnectionModules {
  readonly zeroState: Hash;
  /** The newest block that can be read. */
  readonly last: () => number;
  /** A block, from memory or from the tables. */
  readonly block: (mcSeqno: number) => Promise<StreamBlock>;
  readonly describe: (involved: readonly Address[]) => Promise<Descriptions>;
  /** What one connection may have waiting. */
  readonly maxWaitingBytes: () => number;
  /** Told when events begin to wait for the client, and when none waits any more. */
  readonly onWait: (isWaiting: boolean) => void;
  readonly delivered: (events: number) => void;
  /** Whether the chain has settled the trace of a message: then nothing is predicted of it any more. */
  readonly isFinal: (external: Hash) => boolean;
  readonly nowMs: () => number;
}

/** The blocks that a replay covers, as the answer to a subscription reports them. */
export interface ReplayRange {
  readonly from: number;
  readonly to: number;
}

/** The number of traces with sent events that may still be invalidated. */
const maxUnsettled = 1_024;
/** A longer replay goes on in another connection, so that others have their turn. */
const maxReplayed = 100_000;

/**
 * One client and its subscription. Finalized events are read block by block at the client's own pace, live and replayed
 * ones by the same way, so that there is no seam between them; events that are not settled are pushed beside them.
 */
export class StreamConnection {
  readonly #transport: Transport;
  readonly #queue: EventQueue;
  readonly #modules: ConnectionModules;
  #subscription: Subscription | undefined;
  /** Counts subscriptions: work begun for an older one sends nothing. */
  #version = 0;
  /** Events up to here were sent. */
  #position: StreamPosition = endOf(0);
  #isPumping = false;
  /** Whether it waits for the client to take what it has. */
  #isBehind = false;
  #isClosed = false;
  #replayEnd: number | undefined;
  /** Events of the replay that were sent. */
  #replayed = 0;
  #unconfirmed = new Set<Hash>();
  /** Traces of which actions were shown that may go away. */
  readonly #shownActions = new Set<Hash>();
  #sentCursor: StreamPosition | undefined;
  /** When the client took something the last time, or was given the first of what it has not taken. */
  #movedAtMs: number;
  #waitingThen = 0;

  constructor(transport: Transport, modules: ConnectionModules) {
    this.#transport = transport;
    this.#queue = new EventQueue(transport, modules.onWait);
    this.#modules = modules;
    this.#movedAtMs = modules.nowMs();
  }

  get subscription(): Subscription | undefined {
    return this.#subscription;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get waitingBytes(): number {
    return this.#queue.waitingBytes;
  }

  /** Replaces the subscription; events follow from behind `after`. */
  subscribe(subscription: Subscription, after: StreamPosition, replay: ReplayRange | undefined): void {
    this.#version++;
    this.#subscription = subscription;
    this.#position = after;
    this.#sentCursor = after;
    this.#replayEnd = replay?.to;
    this.#replayed = 0;
  }

  /** Narrows the subscription without a gap in the rest. */
  change(subscription: Subscription): void {
    this.#subscription = subscription;
  }

  /** Sends the answer to a request; a client that takes no answers is closed. */
  answer(text: string): void {
    if (!this.#isClosed && !this.#queue.answer(text)) this.close(closeCodes.slow, "slow consumer");
  }

  cursor(): string {
    return formatCursor(this.#position, this.#modules.zeroState);
  }

  /** Sends what is there and not sent yet; a block that everybody waits for is handed over. */
  advance(newest?: StreamBlock): void {
    const subscription = this.#subscription;
    if (subscription === undefined || this.#isClosed || this.#isPumping) return;
    const isNext =
      newest !== undefined && this.#position.mcSeqno === newest.mcSeqno - 1 && this.#position.rank === endOf(0).rank;
    if (isNext && !needsDescription(subscription) && this.#hasRoom()) this.#deliver(newest, subscription);
    else void this.#pump();
  }

  /** Sends what is predicted, to clients that want predictions. */
  async predict(trace: StreamTrace): Promise<void> {
    const subscription = this.#subscription;
    if (subscription === undefined || this.#isClosed || this.#replayEnd !== undefined) return;
    const events = renderPending(trace, subscription);
    const retraction = this.#findRetraction(trace, subscription);
    if (events.length === 0 && retraction === undefined) return;
    if (!this.#takesPrediction(events, subscription)) return;
    // What was sent as final is not taken back.
    if (events.some(({ isFinal }) => isFinal === true)) this.#unconfirmed.delete(trace.external);
    else if (this.#unconfirmed.size < maxUnsettled) this.#unconfirmed.add(trace.external);
    const version = this.#version;
    const texts = await this.#finish(events, subscription);
    if (version !== this.#version || this.#isClosed || this.#modules.isFinal(trace.external)) return;
    if (!this.#takesPrediction(events, subscription)) return;
    for (const { text, snapshotOf } of texts) this.#queue.send(text, undefined, snapshotOf);
    if (retraction !== undefined) this.#queue.send(retraction, undefined, snapshotName("actions", trace));
    this.#modules.delivered(texts.length);
  }

  /** Sends changes that are confirmed and not final, to clients that want those. */
  async tellChanges(changes: ConfirmedChanges): Promise<void> {
    const subscription = this.#subscription;
    if (subscription === undefined || this.#isClosed || this.#replayEnd !== undefined) return;
    const events = renderConfirmed(changes, subscription);
    if (events.length === 0 || !this.#takesPrediction(events, subscription)) return;
    const version = this.#version;
    const texts = await this.#finish(events, subscription);
    if (version !== this.#version || this.#isClosed) return;
    for (const { text } of texts) this.#queue.send(text, undefined);
    this.#modules.delivered(texts.length);
  }

  /** With a cursor, predictions are left out while the client is behind; without, nothing is lost in silence. */
  #takesPrediction(events: readonly StreamEvent[], { hasCursor }: Subscription): boolean {
    const isNew = ({ snapshotOf = "" }: StreamEvent) => !this.#queue.hasSnapshot(snapshotOf);
    if (this.#hasRoom() || !events.some(isNew)) return true;
    if (!hasCursor) this.close(closeCodes.slow, "slow consumer");
    return false;
  }

  /** Sends the status of a message. */
  tellStatus(status: MessageStatus): void {
    const { types, traces } = this.#subscription ?? {};
    if (this.#isClosed || types?.has("messages") !== true || traces?.has(status.external) !== true) return;
    if (this.#hasRoom()) this.#queue.send(renderStatus(status), undefined);
  }

  /** An empty list where actions were shown and none is left; notes what is shown now. */
  #findRetraction(trace: StreamTrace, subscription: Subscription): string | undefined {
    if (!subscription.hasRetract || !subscription.types.has("actions")) return undefined;
    const wasShown = this.#shownActions.delete(trace.external);
    if (!hasActions(trace, subscription)) return wasShown ? renderRetraction(trace) : undefined;
    if (trace.finality === "pending" && this.#shownActions.size < maxUnsettled) this.#shownActions.add(trace.external);
    return undefined;
  }

  /** Sends the newest of what these blocks hold: each trace once, and of each account only its last state. */
  async sendExisting({ from, to }: ReplayRange): Promise<void> {
    const subscription = this.#subscription;
    if (subscription === undefined || this.#isPumping) return;
    const version = this.#version;
    this.#isPumping = true;
    try {
      const newest = new Map<string, StreamEvent>();
      for (let seqno = from; seqno <= to && version === this.#version; seqno++)
        for (const event of renderBlock(await this.#modules.block(seqno), subscription)) keepNewest(newest, event);
      const shown = [...newest.values()].filter((event) => isHeld(event, subscription));
      const texts = await this.#finish(shown, subscription);
      if (version !== this.#version || this.#isClosed) return;
      for (const { text, place } of texts)
        this.#queue.send(text, subscription.hasCursor ? this.#textOf(place) : undefined);
      this.#modules.delivered(texts.length);
    } catch {
      this.close(closeCodes.internal, "the index cannot be read");
    } finally {
      this.#isPumping = false;
    }
  }

  #textOf(place: StreamPosition | undefined): string | undefined {
    return place && formatCursor(place, this.#modules.zeroState);
  }

  /** Invalidates a trace of which unsettled events were sent. */
  invalidate(external: Hash): void {
    if (!this.#unconfirmed.delete(external) || this.#isClosed) return;
    const hash = Buffer.from(external, "hex").toString("base64");
    this.#queue.send(`{"type":"trace_invalidated","trace_external_hash_norm":"${hash}"}`, undefined);
  }

  /** Moves a quiet client on to the newest block, so that it does not ask for what holds nothing for it. */
  findProgress(): string | undefined {
    const subscription = this.#subscription;
    if (subscription?.hasCursor !== true || this.#sentCursor === undefined) return undefined;
    if (comparePositions(this.#position, this.#sentCursor) <= 0) return undefined;
    this.#sentCursor = this.#position;
    return this.cursor();
  }

  get mcSeqno(): number {
    return this.#position.mcSeqno;
  }

  /** Ends a client that takes nothing for too long. */
  checkStalled(maxMs: number): void {
    const waiting = this.#queue.waitingBytes;
    const now = this.#modules.nowMs();
    if (waiting === 0 || waiting < this.#waitingThen) this.#movedAtMs = now;
    this.#waitingThen = waiting;
    if (waiting > 0 && now - this.#movedAtMs > maxMs) this.destroy();
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (code === closeCodes.slow) this.#queue.clear();
    else this.#queue.flush();
    this.#transport.close(code, reason);
  }

  destroy(): void {
    this.#isClosed = true;
    this.#queue.clear();
    this.#transport.destroy();
  }

  /** The client is gone. */
  ended(): void {
    this.#isClosed = true;
    this.#queue.clear();
  }

  #hasRoom(): boolean {
    return !this.#queue.isFull(this.#modules.maxWaitingBytes());
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (!this.#isClosed && this.#nextSeqno() <= this.#modules.last()) {
        const subscription = this.#subscription;
        if (subscription === undefined || !this.#waitForRoom(subscription)) return;
        const version = this.#version;
        const block = await this.#modules.block(this.#nextSeqno());
        if (version !== this.#version) continue;
        const events = this.#eventsOf(block, subscription);
        const texts = await this.#finish(events, subscription);
        if (version !== this.#version || this.#isClosed) continue;
        this.#send(texts, block, subscription);
      }
    } catch {
      // The tables are away: what the client has is whole, and it comes back with its cursor.
      this.close(closeCodes.internal, "the index cannot be read");
    } finally {
      this.#isPumping = false;
    }
  }

  /** A client with a cursor is waited for; any other would lose events, and is closed instead. */
  #waitForRoom(subscription: Subscription): boolean {
    if (this.#hasRoom()) return true;
    // A large block may take a moment; whoever has not taken it when the next one comes is too slow.
    const isWithinNewest =
      this.#nextSeqno() === this.#position.mcSeqno && this.#position.mcSeqno === this.#modules.last();
    if (subscription.hasCursor || isWithinNewest) this.#continueWhenDrained();
    else this.close(closeCodes.slow, "slow consumer");
    return false;
  }

  #continueWhenDrained(): void {
    if (this.#isBehind) return;
    this.#isBehind = true;
    this.#queue.onDrain(() => {
      this.#isBehind = false;
      this.advance();
    });
  }

  #nextSeqno(): number {
    return this.#position.rank === endOf(0).rank ? this.#position.mcSeqno + 1 : this.#position.mcSeqno;
  }

  #eventsOf(block: StreamBlock, subscription: Subscription): readonly StreamEvent[] {
    const events = renderBlock(block, subscription);
    return block.mcSeqno > this.#position.mcSeqno
      ? events
      : events.filter(({ place }) => place === undefined || comparePositions(place, this.#position) > 0);
  }

  #deliver(block: StreamBlock, subscription: Subscription): void {
    const texts = this.#eventsOf(block, subscription).map((event) => this.#close(event, subscription));
    this.#send(texts, block, subscription);
    if (this.#nextSeqno() === block.mcSeqno) this.#waitForRoom(subscription);
  }

  /** Sends events of a block as far as there is room; the rest follows when the client has taken these. */
  #send(texts: readonly FinishedEvent[], block: StreamBlock, subscription: Subscription): void {
    let sent = 0;
    for (const { text, place } of texts) {
      if (sent > 0 && !this.#hasRoom()) break;
      if (place !== undefined) this.#position = place;
      this.#queue.send(text, subscription.hasCursor ? this.cursor() : undefined);
      sent += 1;
    }
    if (sent > 0) this.#sentCursor = this.#position;
    this.#modules.delivered(sent);
    if (sent < texts.length) return;
    this.#confirm(block, subscription);
    this.#position = endOf(block.mcSeqno);
    if (this.#replayEnd !== undefined) this.#followReplay(this.#replayEnd - block.mcSeqno, sent, subscription);
  }

  /** Ends a replay that has reached what was the newest block, or that has become too long for one connection. */
  #followReplay(remainingBlocks: number, sent: number, { hasCursor }: Subscription): void {
    this.#replayed += sent;
    const isLong = this.#replayed >= maxReplayed;
    if (remainingBlocks > 0 && !isLong) return;
    this.#replayEnd = undefined;
    if (!hasCursor) return;
    this.#sentCursor = this.#position;
    const remaining = remainingBlocks > 0 ? `,"remaining_blocks":${remainingBlocks}` : "";
    this.#queue.send(`{"type":"replay_finished","cursor":"${this.cursor()}"${remaining}}`, this.cursor());
    if (remainingBlocks > 0) this.close(closeCodes.normal, "the replay continues after the cursor");
  }

  /** Final traces are not retracted, except for actions that did not happen. */
  #confirm({ traces }: StreamBlock, subscription: Subscription): void {
    if (this.#unconfirmed.size === 0) return;
    for (const trace of traces) {
      if (!this.#unconfirmed.delete(trace.external)) continue;
      const retraction = this.#findRetraction(trace, subscription);
      if (retraction !== undefined) this.#queue.send(retraction, undefined);
    }
  }

  #close({ text, place, snapshotOf }: StreamEvent, { hasCursor }: Subscription, more = ""): FinishedEvent {
    const cursor =
      hasCursor && place !== undefined ? `,"cursor":"${formatCursor(place, this.#modules.zeroState)}"` : "";
    return { text: `${text}${more}${cursor}}`, place, snapshotOf };
  }

  async #finish(events: readonly StreamEvent[], subscription: Subscription): Promise<readonly FinishedEvent[]> {
    if (!needsDescription(subscription)) return events.map((event) => this.#close(event, subscription));
    const about = await this.#modules.describe(events.flatMap(({ involved }) => involved));
    return events.map((event) => this.#close(event, subscription, describeEvent(event, subscription, about)));
  }
}

/** Events of one trace, account or wallet stand for one another; only traces come in parts. */
function keepNewest(newest: Map<string, StreamEvent>, event: StreamEvent): void {
  const { rank = 0, key = "", lt = 0n } = event.place ?? {};
  const name = rank <= ranks.trace ? `${rank} ${key} ${lt}` : `${rank} ${key}`;
  newest.delete(name);
  newest.set(name, event);
}

/** Of jettons, those whose wallets are named are held, and not all of an owner. */
function isHeld({ place, involved }: StreamEvent, { addresses, isForAll, jettons }: Subscription): boolean {
  if (place?.rank !== ranks.jettons_change || isForAll || jettons.size > 0) return true;
  const [wallet] = involved;
  return wallet !== undefined && addresses.has(wallet);
}

interface FinishedEvent {
  readonly text: string;
  readonly place: StreamPosition | undefined;
  readonly snapshotOf: string | undefined;
}
