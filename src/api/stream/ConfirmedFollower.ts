import { type ConfirmedBlock, ConfirmedChain, maxConfirmedBytes } from "../../history/confirmed/ConfirmedChain.ts";
import { ConfirmedPoller, type PolledServer } from "../../history/confirmed/ConfirmedPoller.ts";
import { beginningOf, type ConfirmedReader } from "../../history/confirmed/ConfirmedReader.ts";
import type { ConfirmedTraces } from "../../history/confirmed/ConfirmedTraces.ts";
import { listCommittedSince } from "../../history/confirmed/committedBlocks.ts";
import type { EventLog } from "../../history/events/EventLog.ts";
import type { History, HistorySnapshot } from "../../history/queries/kit/History.ts";
import { listTracesByExternal } from "../../history/queries/traces.ts";
import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { WholeBlock } from "../../lite/queries/blocks.ts";
import { type BlockIdExt, shardsIntersect } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import type { PendingView } from "../v3/pending/PendingView.ts";
import { type Predictions, viewConfirmed } from "../v3/pending/viewConfirmed.ts";
import { mixedTrace } from "./pendingStream.ts";
import { type ConfirmedChanges, listStates, type StreamTrace, streamJetton } from "./StreamBlock.ts";

export interface ConfirmedFollowerModules {
  readonly servers: readonly PolledServer[];
  readonly reader: ConfirmedReader;
  readonly traces: ConfirmedTraces;
  readonly pending: Predictions;
  readonly events: Pick<EventLog, "onExtent">;
  readonly history: History;
  /** The global version of the network. */
  readonly globalVersion: (signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What streams are told; every process that serves streams follows the blocks itself. */
export type ConfirmedMessage =
  | { readonly kind: "trace"; readonly trace: StreamTrace }
  | { readonly kind: "changed"; readonly changes: ConfirmedChanges }
  | { readonly kind: "gone"; readonly external: Hash };

/** Blocks that the masterchain does not commit within this time are dropped. */
const maxAgeMs = 60_000;
const expireEveryMs = 1_000;
/** How many masterchain blocks are read at the start: a confirmed block follows one of theirs. */
const earlierBlocks = 64;

/** A block that was replaced, while it is open whether its traces come in the next one. */
interface LostTrace {
  readonly block: BlockIdExt;
  readonly untilMs: number;
}

/**
 * Follows shard blocks that are signed and not committed: publishes their traces and changes, and takes back what the
 * masterchain replaced. What is committed follows from the index as usual.
 */
export class ConfirmedFollower {
  readonly #modules: ConfirmedFollowerModules;
  readonly #chain = new ConfirmedChain();
  readonly #poller: ConfirmedPoller;
  readonly #closing = new AbortController();
  readonly #lost = new Map<Hash, LostTrace>();
  readonly #listeners = new Set<(message: ConfirmedMessage) => void>();
  readonly #stop: () => void;
  #cancelTimer: CancelTimer | undefined;
  /** The newest masterchain block that is known here. */
  #seqno: number | undefined;
  #newestUtime: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(everyMs: number, modules: ConfirmedFollowerModules) {
    this.#modules = modules;
    this.#stop = modules.events.onExtent(({ last }) => {
      this.#seqno ??= last - earlierBlocks;
      void this.#inTurn(() => this.#advance([]));
    });
    this.#poller = new ConfirmedPoller(everyMs, {
      ...modules,
      maxBytes: maxConfirmedBytes,
      isKnown: (id) => this.#chain.isKnown(id),
      version: () => this.#seqno ?? -1,
      take: (blocks) => this.#inTurn(() => this.#take(blocks)),
    });
    this.#planExpiry();
  }

  /** Listens to what is confirmed and what is taken back; returns a function that ends it. */
  listen(tell: (message: ConfirmedMessage) => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }

  /** For health: whether a server answers, and the time of the newest confirmed block. */
  status(): { readonly servers: number; readonly newestUtime: number | undefined } {
    return { servers: this.#poller.capable, newestUtime: this.#newestUtime };
  }

  async close(): Promise<void> {
    this.#stop();
    this.#cancelTimer?.();
    this.#closing.abort(new LibError("lib/aborted", "confirmed blocks are closed"));
    await this.#poller.close();
    await this.#turn;
  }

  #planExpiry(): void {
    this.#cancelTimer = this.#modules.clock.timer(expireEveryMs, () => {
      if (this.#chain.list().length > 0 || this.#lost.size > 0) void this.#inTurn(() => this.#advance([]));
      this.#planExpiry();
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#modules.log.debug("confirmed blocks could not be read", { error });
    });
    return this.#turn;
  }

  async #take(blocks: readonly WholeBlock[]): Promise<void> {
    const { reader, globalVersion } = this.#modules;
    const { signal } = this.#closing;
    const version = await globalVersion(signal);
    for (const block of blocks) await reader.decode(block, version, signal);
    await this.#advance(blocks);
  }

  /** Reads what the index has committed, adds blocks, and publishes; all on one snapshot. */
  async #advance(blocks: readonly WholeBlock[]): Promise<void> {
    const { history, clock, reader, traces } = this.#modules;
    if (this.#seqno === undefined) return;
    const before = this.#seqno;
    const nowMs = clock.monotonic();
    const messages = await history.read({ signal: this.#closing.signal }, async (reading) => {
      const committed = await listCommittedSince(reading, before);
      this.#seqno = committed.reduce((last, { mcSeqno }) => Math.max(last, mcSeqno), before);
      const ids = committed.map(({ id }) => id);
      const [replaced, expired] = [this.#chain.commit(ids), this.#chain.expire(nowMs - maxAgeMs)];
      this.#lose(replaced, nowMs + maxAgeMs);
      this.#lose(expired, nowMs);
      const dropped = [...replaced, ...expired];
      const fresh = this.#chain.add(blocks, nowMs);
      for (const { id } of [...blocks, ...dropped.map(({ block }) => block)])
        if (!this.#isLeft(id.rootHash)) reader.forget(id.rootHash);
      for (const { rootHash } of ids) reader.forget(rootHash);
      traces.keep((rootHash) => this.#isLeft(rootHash));
      const published = fresh.length === 0 ? [] : await this.#describe(reading, fresh);
      return [...(await this.#findGone(reading, ids, nowMs)), ...published];
    });
    for (const tell of this.#listeners) for (const message of messages) tell(message);
  }

  #isLeft(rootHash: Hash): boolean {
    return this.#chain.has(rootHash);
  }

  async #describe(reading: HistorySnapshot, fresh: readonly WholeBlock[]): Promise<readonly ConfirmedMessage[]> {
    const { reader, pending, traces: kept } = this.#modules;
    const roots = new Set(fresh.map(({ id }) => id.rootHash));
    this.#newestUtime = fresh.reduce((last, { info }) => Math.max(last, info.genUtime), this.#newestUtime ?? 0);
    const traces = await reader.readTraces(reading, roots);
    const shown = await viewConfirmed(reading, traces, pending);
    const published: ConfirmedMessage[] = [];
    for (const [at, view] of shown.entries()) {
      const each = traces[at];
      if (each === undefined) continue;
      const external = beginningOf(each);
      kept.put(each);
      this.#lost.delete(external);
      const trace = mixedTrace({ sent: { hash: external, normalizedHash: external } }, view);
      if (trace !== undefined) published.push({ kind: "trace", trace });
    }
    return [...published, await this.#describeChanges(reading, shown, roots)];
  }

  async #describeChanges(
    reading: HistorySnapshot,
    shown: readonly PendingView[],
    roots: ReadonlySet<Hash>,
  ): Promise<ConfirmedMessage> {
    const jettons = await this.#modules.reader.readJettons(reading, roots);
    const jettonOf = new Map(jettons.map(({ address, jetton }) => [address, jetton]));
    const own = shown
      .flatMap(({ transactions = [] }) => transactions)
      .filter(({ context }) => context.finality === "confirmed")
      .sort((a, b) => (a.row.lt < b.row.lt ? -1 : 1));
    const states = listStates(own, jettonOf);
    return { kind: "changed", changes: { states, jettons: jettons.map(streamJetton) } };
  }

  /** Traces of dropped blocks: they may still come with the next block of their shard. */
  #lose(dropped: readonly ConfirmedBlock[], untilMs: number): void {
    const blocks = dropped.map(({ block }) => block.id);
    const { traces } = this.#modules;
    for (const block of blocks)
      for (const external of traces.listIn(block.rootHash)) this.#lost.set(external, { block, untilMs });
  }

  /** Lost traces that are neither in the block that replaced theirs nor in the next one. */
  async #findGone(
    reading: HistorySnapshot,
    committed: readonly BlockIdExt[],
    nowMs: number,
  ): Promise<readonly ConfirmedMessage[]> {
    const isOver = ({ block, untilMs }: LostTrace) =>
      untilMs <= nowMs || committed.some((other) => isAfter(other, block));
    const over = [...this.#lost].filter(([, lost]) => isOver(lost)).map(([external]) => external);
    for (const external of over) this.#lost.delete(external);
    const rows = await listTracesByExternal(reading, over);
    const found = new Set(rows.flatMap(({ externalHash, externalHashNorm }) => [externalHash, externalHashNorm]));
    return over.filter((external) => !found.has(external)).map((external) => ({ kind: "gone", external }));
  }
}

function isAfter(other: BlockIdExt, block: BlockIdExt): boolean {
  return other.workchain === block.workchain && other.seqno > block.seqno && shardsIntersect(other.shard, block.shard);
}
