import type { Cell } from "../../cell/Cell.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Classification } from "../../contracts/engine/classify.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { LibError } from "../../lib/libErrors.ts";
import type { Log } from "../../lib/log.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import type { Chain } from "../Chain.ts";
import type { ChainAccess } from "../LiveChains.ts";
import type { Emulation } from "../run/emulation.ts";
import type { SentMessage } from "../SentMessage.ts";
import type { MixedTrace } from "./mixTrace.ts";
import type { NewContracts } from "./newContracts.ts";
import { PendingEntries } from "./PendingEntries.ts";
import { isExhausted, listUntried, type PendingEntry, type PendingRest } from "./PendingEntry.ts";
import type { PendingOptions } from "./PendingOptions.ts";
import { PendingQueue } from "./PendingQueue.ts";
import { type AppliedTrace, PendingStates } from "./PendingStates.ts";
import { PendingStore } from "./PendingStore.ts";
import { byEnd, type PendingTrace, weightOf, withRest } from "./PendingTrace.ts";
import { findMeaning, type GatherFacts } from "./pendingMeaning.ts";
import { runLeft } from "./pendingRest.ts";
import { findDestination, hasLanded, type PendingRun, runPending } from "./pendingRun.ts";

/** What was run longer ago is run again before others stand on it: messages have an end, which only their accounts know. */
const freshMs = 30_000;

export interface PendingModules {
  /** Opens the chain as it is now for one run. */
  readonly openChain: (access: ChainAccess, signal: AbortSignal) => Chain;
  /** What is known of the accounts of a trace, for telling what it means. */
  readonly gatherFacts: GatherFacts;
  /** Where failures of matchers are reported. */
  readonly reporter?: FailureReporter;
  /** Called with every prediction that is made or made anew; returns at once. */
  readonly onTrace?: (trace: PendingTrace) => void;
  /** Called with every message whose prediction is taken back: it expired, or its account would not take it any more. */
  readonly onGone?: (sent: SentMessage) => void;
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

/**
 * Messages that were sent and are not on the chain yet, each run at once with all it causes, on what those before it
 * leave behind. Whatever one of them turns out to be, those that stood on it are run again. Runs happen in the
 * background and never hold up the sending; who asks compares with the index and drops what is confirmed.
 */
export class PendingTraces {
  readonly #options: PendingOptions;
  readonly #modules: PendingModules;
  readonly #shelf: PendingStore<PendingTrace>;
  readonly #states = new PendingStates();
  readonly #queue: PendingQueue<PendingEntry>;
  readonly #entries = new PendingEntries();
  readonly #closing = new AbortController();
  #runs = 0;
  readonly #counts = { emulated: 0, again: 0, resumed: 0, refused: 0, failed: 0, unclassified: 0 };

  constructor(options: PendingOptions, modules: PendingModules) {
    this.#options = options;
    this.#modules = modules;
    this.#shelf = new PendingStore(options, modules.clock, ({ sent }) => {
      this.#leave(sent);
      modules.onGone?.(sent);
    });
    this.#queue = new PendingQueue(options.maxRunning, {
      isBefore: (first, second) => this.#isBefore(first, second),
      run: (entry) => this.#run(entry),
    });
  }

  /** Takes note of a message that a server took; the same one twice is one. */
  add(message: Cell, sent: SentMessage, access: ChainAccess): void {
    if (this.#entries.has(sent) || this.#closing.signal.aborted) return;
    if (this.#queue.waiting >= this.#options.maxWaiting) {
      this.#counts.failed++;
      return;
    }
    const destination = findDestination(message);
    if (destination === undefined) return;
    this.#queue.add(this.#entries.add({ message, sent, access, destination }));
  }

  /** The trace that a message began, by either of the message's hashes. */
  find(hash: SentMessage["hash"]): PendingTrace | undefined {
    return this.#shelf.find(hash);
  }

  /** Traces that touch an account, the latest first. */
  listOf(account: Address): readonly PendingTrace[] {
    return this.#shelf.listOf(account).toSorted(byEnd);
  }

  /** An account as the last prediction leaves it, while the chain has it as that prediction found it. */
  findState(address: Address, { lt }: TransactionPoint): ShardAccount | undefined {
    const last = this.#states.findBefore(Number.POSITIVE_INFINITY, address);
    return last?.footings.get(address)?.chainLt === lt ? last.after.get(address) : undefined;
  }

  /** Runs what the chain has sent otherwise than it was predicted, where this is how much of a trace it has done. */
  resume(trace: PendingTrace, { trace: mixed, left }: MixedTrace): void {
    const entry = this.#entries.find(trace.sent);
    if (entry === undefined || this.#closing.signal.aborted) return;
    entry.hasLanded = true;
    if (listUntried(entry, left).length === 0 || isExhausted(entry)) return;
    if (this.#queue.waiting >= this.#options.maxWaiting) return;
    entry.rest = { of: trace, mixed, left };
    this.#queue.add(entry);
  }

  /** Forgets a trace, of which the chain has told all by this masterchain block. */
  drop(trace: PendingTrace, mcSeqno = 0): void {
    if (this.#shelf.drop(trace)) this.#leave(trace.sent, mcSeqno);
  }

  counters(): PendingCounters {
    const { size: traces, bytes } = this.#shelf;
    return { traces, bytes, ...this.#counts };
  }

  /** Waits until every message that was added is run, and every one that is to be run again. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  /** Ends all runs and forgets all traces. */
  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "pending traces are closed"));
    this.#queue.clear();
    await this.settled();
    for (const kept of [this.#shelf, this.#states, this.#entries]) kept.clear();
  }

  /** Messages to one account are run one after another, as the account takes them. */
  #isBefore(first: PendingEntry, second: PendingEntry): boolean {
    return first.destination === second.destination || second.met.has(first.place);
  }

  async #run(entry: PendingEntry): Promise<void> {
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
      this.#counts.failed++;
      if (this.#states.find(entry.place) === undefined) this.#leave(entry.sent);
      log.debug("a sent message could not be run", { error });
    }
  }

  async #emulate(entry: PendingEntry, signal: AbortSignal): Promise<void> {
    const { clock, openChain } = this.#modules;
    const chain = openChain(entry.access, signal);
    if (entry.rest !== undefined) return this.#resume(entry, entry.rest, chain);
    const before = this.#states.find(entry.place);
    if (before !== undefined) {
      if (chain.head.block.seqno < entry.notBefore) return;
      entry.hasLanded ||= await hasLanded(chain, entry, before);
      if (entry.hasLanded) return;
      this.#counts.again++;
    }
    const nowMs = clock.monotonic();
    const ground = { states: this.#states, freshSinceMs: nowMs - freshMs };
    const run = await runPending(chain, entry, this.#options, ground);
    entry.met = placesOf(run.met);
    const classification = run.emulation && (await this.#classify(run.emulation, run, signal));
    // Whoever dropped it meanwhile knows better.
    if (!this.#entries.has(entry.sent)) return;
    const outdated = placesOf(run.outdated);
    if (run.emulation !== undefined) {
      this.#put(entry, run, run.emulation, { classification, ranAtMs: nowMs });
    } else if (this.#isWorthAnother(entry, outdated)) {
      this.#queue.add(entry);
    } else {
      this.#counts.refused++;
      const isTold = this.#shelf.find(entry.sent.normalizedHash) !== undefined;
      this.#shelf.remove(entry.sent.normalizedHash);
      this.#leave(entry.sent);
      if (isTold) this.#modules.onGone?.(entry.sent);
    }
    this.#runAgain(outdated);
  }

  async #resume(entry: PendingEntry, rest: PendingRest, chain: Chain): Promise<void> {
    const { sent, tried } = entry;
    const isOutdated = () => this.#shelf.find(sent.normalizedHash) !== rest.of;
    entry.rest = undefined;
    if (isOutdated()) return;
    const left = listUntried(entry, rest.left);
    const runs = await runLeft(chain, sent, left, this.#options);
    for (const { message } of left) tried.add(message.hash);
    if (runs.length === 0 || isOutdated()) return;
    this.#counts.resumed++;
    this.#shelve(withRest(rest.of, rest.mixed, runs));
  }

  #put(entry: PendingEntry, run: PendingRun, emulation: Emulation, { classification, ranAtMs }: Told): void {
    const { place, sent, destination } = entry;
    const { footings, bases } = run;
    this.#counts.emulated++;
    const laid = { place, run: this.#runs++, ranAtMs, footings, after: emulation.accounts };
    const stale = this.#states.put(laid);
    const trace: PendingTrace = {
      ...emulation,
      sent,
      classification,
      afterLt: footings.get(destination)?.chainLt ?? 0n,
      standsOn: this.#entries.listAt(placesOf(bases)).map((base) => base.sent.normalizedHash),
    };
    this.#shelve(trace);
    this.#runAgain(stale);
  }

  #shelve(trace: PendingTrace): void {
    const accounts = trace.trace.transactions.map(({ account }) => account);
    this.#shelf.put(trace, accounts, weightOf(trace));
    this.#modules.onTrace?.(trace);
  }

  /** What those it stands on would deploy; no index can know of that. */
  #contractsOf({ emulation, bases }: PendingRun): NewContracts {
    const traces = this.#entries
      .listAt(placesOf(bases))
      .flatMap(({ sent }) => this.#shelf.find(sent.normalizedHash) ?? []);
    return new Map([...traces, emulation].flatMap((each) => [...(each?.contracts ?? [])]));
  }

  async #classify({ trace }: Emulation, run: PendingRun, signal: AbortSignal): Promise<Classification | undefined> {
    const { gatherFacts, reporter } = this.#modules;
    const meaning = await findMeaning(trace, this.#contractsOf(run), gatherFacts, signal, reporter);
    if (meaning === undefined) this.#counts.unclassified++;
    return meaning;
  }

  #isWorthAnother(entry: PendingEntry, outdated: Iterable<number>): boolean {
    return !isExhausted(entry) && this.#entries.listAt(outdated).some((each) => !each.hasLanded && !isExhausted(each));
  }

  #runAgain(places: Iterable<number>, notBefore = 0): void {
    if (this.#closing.signal.aborted) return;
    for (const entry of this.#entries.listAt(places)) {
      if (entry.hasLanded || isExhausted(entry)) continue;
      entry.notBefore = Math.max(entry.notBefore, notBefore);
      this.#queue.add(entry);
    }
  }

  /** Forgets a message; those that stood on it stand on something else now. */
  #leave(sent: SentMessage, mcSeqno = 0): void {
    const entry = this.#entries.find(sent);
    if (entry === undefined) return;
    this.#entries.remove(entry);
    this.#queue.remove(entry);
    this.#runAgain(this.#states.remove(entry.place), mcSeqno);
  }
}

interface Told {
  readonly classification: Classification | undefined;
  readonly ranAtMs: number;
}

function placesOf(traces: ReadonlySet<AppliedTrace>): ReadonlySet<number> {
  return new Set([...traces].map(({ place }) => place));
}
