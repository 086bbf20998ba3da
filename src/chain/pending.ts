import type { Cell } from "../cell/Cell.ts";
import { type Classification, classify } from "../contracts/classify.ts";
import type { Facts } from "../contracts/Facts.ts";
import type { CancelTimer, Clock } from "../lib/clock.ts";
import { runWithin } from "../lib/deadline.ts";
import { isCoded } from "../lib/errors.ts";
import { LibError } from "../lib/libErrors.ts";
import type { Log } from "../lib/log.ts";
import type { Address } from "../model/Address.ts";
import type { Hash } from "../model/Hash.ts";
import type { Trace } from "../model/Trace.ts";
import type { TraceLimits } from "../tvm/runTrace.ts";
import type { Chain } from "./Chain.ts";
import type { Emulation } from "./emulation.ts";
import type { Access } from "./LiveChains.ts";
import type { LeftMessage, MixedTrace } from "./mixTrace.ts";
import { type NewContracts, withNewContracts } from "./newContracts.ts";
import { PendingQueue } from "./PendingQueue.ts";
import { PendingShelf, type ShelfBounds } from "./PendingShelf.ts";
import { type LaidTrace, PendingStates } from "./PendingStates.ts";
import { byEnd, type PendingTrace, weightOf, withRest } from "./PendingTrace.ts";
import { runLeft } from "./pendingRest.ts";
import { findDestination, hasLanded, type PendingMessage, type PendingRun, runPending } from "./pendingRun.ts";
import type { SentMessage } from "./SentMessage.ts";

export interface PendingOptions extends ShelfBounds, TraceLimits {
  /** Messages that are run at the same time. */
  readonly maxRunning: number;
  /** Messages that wait to be run; more are let go. */
  readonly maxWaiting: number;
  /** How long one message may be run. */
  readonly timeoutMs: number;
}

/** Enough for a busy server, at a bounded price. */
export const usualPending: PendingOptions = {
  expiryMs: 600_000,
  maxTraces: 10_000,
  maxBytes: 64 << 20,
  maxTransactions: 256,
  maxDepth: 64,
  maxRunning: 2,
  maxWaiting: 200,
  timeoutMs: 20_000,
};

/** What was run longer ago is run again before others stand on it: messages have an end, which only their accounts know. */
const freshMs = 30_000;

export interface PendingModules {
  /** Opens the chain as it is now for one run. */
  readonly openChain: (access: Access, signal: AbortSignal) => Chain;
  /** What is known of the accounts of a trace, for telling what it means. */
  readonly gatherFacts: (trace: Trace, signal: AbortSignal) => Promise<Facts>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What became of the messages that were sent. */
export interface PendingCounters {
  readonly traces: number;
  readonly bytes: number;
  /** Runs that gave a trace. */
  readonly emulated: number;
  /** Runs that were made because what others left behind had changed. */
  readonly again: number;
  /** Traces that the chain took elsewhere, of which the rest was run anew. */
  readonly resumed: number;
  /** Messages that their account would not take. */
  readonly refused: number;
  /** Runs that ended early, and messages for which there was no time. */
  readonly failed: number;
  /** Traces of which could not be told what they mean. */
  readonly unclassified: number;
}

interface Entry extends PendingMessage {
  /** How often it was run. */
  runs: number;
  /** The places of those before it that it met when it was run last. */
  met: ReadonlySet<number>;
  /** A server that has not seen this block would know less than what is told already. */
  notBefore: number;
  /** Whether the chain was seen to have taken it: then only the index tells more. */
  hasLanded: boolean;
  /** What is to be run of it now that it has landed. */
  rest: Rest | undefined;
  /** Messages of the chain that were run for it, by hash. */
  readonly tried: Set<Hash>;
}

/** A trace that the chain took elsewhere than it was predicted. */
interface Rest {
  readonly of: PendingTrace;
  readonly mixed: Trace;
  readonly left: readonly LeftMessage[];
}

/** So many messages of one trace are run anew at once. */
const mostLeft = 8;

/** A trace that so many others before it keep changing is left as it is. */
const mostRuns = 32;

/**
 * Messages that were sent and are not on the chain yet, each run at once with all it causes, on what those before it
 * leave behind. Whatever one of them turns out to be, those that stood on it are run again. Runs happen in the
 * background and never hold up the sending; who asks compares with the index and drops what is confirmed.
 */
export class PendingTraces {
  readonly #options: PendingOptions;
  readonly #modules: PendingModules;
  readonly #shelf: PendingShelf<PendingTrace>;
  readonly #states = new PendingStates();
  readonly #queue: PendingQueue<Entry>;
  readonly #entries = new Map<Hash, Entry>();
  readonly #byPlace = new Map<number, Entry>();
  readonly #closing = new AbortController();
  #cancelExpiry: CancelTimer | undefined;
  #places = 0;
  #runs = 0;
  #emulated = 0;
  #again = 0;
  #resumed = 0;
  #refused = 0;
  #failed = 0;
  #unclassified = 0;

  constructor(options: PendingOptions, modules: PendingModules) {
    this.#options = options;
    this.#modules = modules;
    this.#shelf = new PendingShelf(options, modules.clock, ({ sent }) => this.#leave(sent));
    this.#queue = new PendingQueue(options.maxRunning, {
      isBefore: (first, second) => this.#isBefore(first, second),
      run: (entry) => this.#run(entry),
    });
  }

  /** Takes note of a message that a server took; the same one twice is one. */
  add(message: Cell, sent: SentMessage, access: Access): void {
    if (this.#entries.has(sent.normalizedHash) || this.#closing.signal.aborted) return;
    if (this.#queue.waiting >= this.#options.maxWaiting) {
      this.#failed++;
      return;
    }
    const destination = findDestination(message);
    if (destination === undefined) return;
    const place = this.#places++;
    const state = { runs: 0, met: new Set<number>(), notBefore: 0, hasLanded: false, rest: undefined };
    const entry: Entry = { place, message, sent, access, destination, ...state, tried: new Set() };
    this.#entries.set(sent.normalizedHash, entry);
    this.#byPlace.set(place, entry);
    this.#queue.add(entry);
  }

  /** The trace that a message began, by either of the message's hashes. */
  find(hash: SentMessage["hash"]): PendingTrace | undefined {
    return this.#shelf.find(hash);
  }

  /** Traces that touch an account, the latest first. */
  listOf(account: Address): readonly PendingTrace[] {
    return this.#shelf.listOf(account).toSorted(byEnd);
  }

  /** Runs what the chain has sent otherwise than it was predicted, where this is how much of a trace it has done. */
  resume(trace: PendingTrace, { trace: mixed, left }: MixedTrace): void {
    const entry = this.#entries.get(trace.sent.normalizedHash);
    if (entry === undefined || this.#closing.signal.aborted) return;
    entry.hasLanded = true;
    const untried = left.filter(({ sender, message }) => !sender.emulated && !entry.tried.has(message.hash));
    if (untried.length === 0 || this.#queue.waiting >= this.#options.maxWaiting) return;
    entry.rest = { of: trace, mixed, left: untried.slice(0, mostLeft) };
    this.#queue.add(entry);
  }

  /** Forgets a trace, of which the chain has told all by this masterchain block. */
  drop(trace: PendingTrace, mcSeqno = 0): void {
    if (this.#shelf.drop(trace)) this.#leave(trace.sent, mcSeqno);
  }

  counters(): PendingCounters {
    const { size: traces, bytes } = this.#shelf;
    const [emulated, again, resumed] = [this.#emulated, this.#again, this.#resumed];
    const [refused, failed, unclassified] = [this.#refused, this.#failed, this.#unclassified];
    return { traces, bytes, emulated, again, resumed, refused, failed, unclassified };
  }

  /** Waits until every message that was added is run, and every one that is to be run again. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  /** Ends all runs and forgets all traces. */
  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "pending traces are closed"));
    this.#cancelExpiry?.();
    this.#queue.clear();
    await this.settled();
    this.#shelf.clear();
    for (const kept of [this.#states, this.#entries, this.#byPlace]) kept.clear();
  }

  /** Messages to one account are run one after another, as the account takes them. */
  #isBefore(first: Entry, second: Entry): boolean {
    return first.destination === second.destination || second.met.has(first.place);
  }

  async #run(entry: Entry): Promise<void> {
    const { clock, log } = this.#modules;
    entry.runs++;
    try {
      await runWithin(
        clock,
        this.#options.timeoutMs,
        ({ signal }) => this.#emulate(entry, signal),
        this.#closing.signal,
      );
    } catch (error) {
      // The message is on its way whatever becomes of this: a run that fails leaves it untold until the index tells it,
      // or told as it was before.
      this.#failed++;
      if (this.#states.find(entry.place) === undefined) this.#leave(entry.sent);
      log.debug("a sent message could not be run", { error });
    }
  }

  async #emulate(entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, openChain } = this.#modules;
    const chain = openChain(entry.access, signal);
    if (entry.rest !== undefined) return this.#resume(entry, entry.rest, chain);
    const before = this.#states.find(entry.place);
    if (before !== undefined) {
      if (chain.head.block.seqno < entry.notBefore) return;
      entry.hasLanded ||= await hasLanded(chain, entry, before);
      if (entry.hasLanded) return;
      this.#again++;
    }
    const nowMs = clock.monotonic();
    const ground = { states: this.#states, freshSinceMs: nowMs - freshMs };
    const run = await runPending(chain, entry, this.#options, ground);
    entry.met = placesOf(run.met);
    const classification = run.emulation && (await this.#classify(run.emulation, this.#contractsOf(run), signal));
    // Whoever dropped it meanwhile knows better.
    if (!this.#entries.has(entry.sent.normalizedHash)) return;
    const outdated = placesOf(run.outdated);
    if (run.emulation !== undefined) this.#put(entry, run, run.emulation, { classification, ranAtMs: nowMs });
    else if (this.#isWorthAnother(entry, outdated)) this.#queue.add(entry);
    else {
      this.#refused++;
      this.#shelf.remove(entry.sent.normalizedHash);
      this.#leave(entry.sent);
    }
    this.#runAgain(outdated);
  }

  async #resume(entry: Entry, { of: trace, mixed, left }: Rest, chain: Chain): Promise<void> {
    const { sent, tried } = entry;
    entry.rest = undefined;
    for (const { message } of left) tried.add(message.hash);
    const runs = await runLeft(chain, sent, left, this.#options);
    // Nothing, or somebody has told it or dropped it meanwhile.
    if (runs.length === 0 || this.#shelf.find(sent.normalizedHash) !== trace) return;
    this.#resumed++;
    this.#shelve(withRest(trace, mixed, runs));
  }

  #put(entry: Entry, run: PendingRun, emulation: Emulation, { classification, ranAtMs }: Told): void {
    const { place, sent, destination } = entry;
    const { footings, bases } = run;
    this.#emulated++;
    const laid = { place, run: this.#runs++, ranAtMs, footings, after: emulation.accounts };
    const stale = this.#states.put(laid);
    const trace: PendingTrace = {
      ...emulation,
      sent,
      classification,
      afterLt: footings.get(destination)?.chainLt ?? 0n,
      standsOn: this.#entriesAt(placesOf(bases)).map((base) => base.sent.normalizedHash),
    };
    this.#shelve(trace);
    this.#runAgain(stale);
  }

  #shelve(trace: PendingTrace): void {
    const accounts = trace.trace.transactions.map(({ account }) => account);
    this.#shelf.put(trace, accounts, weightOf(trace));
    this.#watchExpiry();
  }

  /** What those it stands on would deploy; no index can know of that. */
  #contractsOf({ emulation, bases }: PendingRun): NewContracts {
    const traces = this.#entriesAt(placesOf(bases)).flatMap(({ sent }) => this.#shelf.find(sent.normalizedHash) ?? []);
    return new Map([...traces, emulation].flatMap((each) => [...(each?.contracts ?? [])]));
  }

  #entriesAt(places: Iterable<number>): readonly Entry[] {
    return [...places].flatMap((place) => this.#byPlace.get(place) ?? []);
  }

  #isWorthAnother({ runs }: Entry, outdated: Iterable<number>): boolean {
    return runs < mostRuns && this.#entriesAt(outdated).some((entry) => !entry.hasLanded && entry.runs < mostRuns);
  }

  #runAgain(places: Iterable<number>, notBefore = 0): void {
    if (this.#closing.signal.aborted) return;
    for (const entry of this.#entriesAt(places)) {
      if (entry.hasLanded || entry.runs >= mostRuns) continue;
      entry.notBefore = Math.max(entry.notBefore, notBefore);
      this.#queue.add(entry);
    }
  }

  /** Forgets a message; those that stood on it stand on something else now. */
  #leave({ normalizedHash }: SentMessage, mcSeqno = 0): void {
    const entry = this.#entries.get(normalizedHash);
    if (entry === undefined) return;
    this.#entries.delete(normalizedHash);
    this.#byPlace.delete(entry.place);
    this.#queue.remove(entry);
    this.#runAgain(this.#states.remove(entry.place), mcSeqno);
  }

  #watchExpiry(): void {
    if (this.#cancelExpiry !== undefined || this.#closing.signal.aborted) return;
    const waitMs = this.#shelf.forgetOld();
    if (waitMs === undefined) return;
    this.#cancelExpiry = this.#modules.clock.timer(waitMs, () => {
      this.#cancelExpiry = undefined;
      this.#watchExpiry();
    });
  }

  async #classify(
    { trace }: Emulation,
    contracts: NewContracts,
    signal: AbortSignal,
  ): Promise<Classification | undefined> {
    try {
      return classify(trace, withNewContracts(await this.#modules.gatherFacts(trace, signal), contracts));
    } catch (error) {
      // A trace without its meaning is still worth more than none: the index may be away for a while.
      if (!isCoded(error)) throw error;
      this.#unclassified++;
      return undefined;
    }
  }
}

interface Told {
  readonly classification: Classification | undefined;
  readonly ranAtMs: number;
}

function placesOf(traces: ReadonlySet<LaidTrace>): ReadonlySet<number> {
  return new Set([...traces].map(({ place }) => place));
}
