import type { Cell } from "../../cell/Cell.ts";
import type { Classification } from "../../contracts/classify.ts";
import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import type { Chain } from "../Chain.ts";
import type { ChainAccess } from "../LiveChains.ts";
import type { Emulation } from "../run/emulation.ts";
import type { NewContracts } from "../run/newContracts.ts";
import type { SendingProcess, SentMessage } from "../SentMessage.ts";
import type { MixedTrace } from "./mixTrace.ts";
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

/** An older run is repeated before others depend on it: messages expire, which only their accounts know. */
const freshMs = 30_000;

export interface PendingModules {
  /** Opens the current chain for one run. */
  readonly openChain: (access: ChainAccess, signal: AbortSignal) => Chain;
  /** Gathers facts about the accounts of a trace, for classification. */
  readonly gatherFacts: GatherFacts;
  /** Where failures of matchers are reported. */
  readonly reporter?: FailureReporter;
  /** Called with every new or repeated prediction for a message that this process sent; returns immediately. */
  readonly onTrace?: (trace: PendingTrace) => void;
  /** Called with every message of this process whose prediction ends or fails; returns immediately. */
  readonly onEnd?: (sent: SentMessage, end: PendingEnd) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Why there is no prediction for a message, and whether one was reported before. */
export type PendingEnd =
  | { readonly kind: "expired"; readonly wasReported: true }
  | { readonly kind: "refused"; readonly exitCode: number | undefined; readonly wasReported: boolean };

/** Counters of sent messages. */
export interface PendingCounters {
  readonly traces: number;
  readonly bytes: number;
  /** Runs that produced a trace. */
  readonly emulated: number;
  /** Runs that were repeated because their input had changed. */
  readonly again: number;
  /** Traces that went differently on the chain, whose rest was run again. */
  readonly resumed: number;
  /** Messages that their account would not accept. */
  readonly refused: number;
  /** Runs that ended early, and messages that were not run for lack of time. */
  readonly failed: number;
  /** Traces that could not be classified. */
  readonly unclassified: number;
}

/**
 * Sent messages that are not on the chain yet. Each is emulated at once with everything it causes, on the result of
 * those before it. When a result changes, the messages that depend on it are run again. Runs happen in the background
 * and never delay sending; the caller compares with the index and drops confirmed traces.
 */
export class PendingTraces {
  readonly #options: PendingOptions;
  readonly #modules: PendingModules;
  readonly #store: PendingStore<PendingTrace>;
  readonly #states = new PendingStates();
  readonly #queue: PendingQueue<PendingEntry>;
  readonly #entries = new PendingEntries();
  readonly #closing = new AbortController();
  #runs = 0;
  readonly #counts = { emulated: 0, again: 0, resumed: 0, refused: 0, failed: 0, unclassified: 0 };

  constructor(options: PendingOptions, modules: PendingModules) {
    this.#options = options;
    this.#modules = modules;
    this.#store = new PendingStore(options, modules.clock, ({ sent, sentBy }) => {
      this.#leave(sent);
      if (sentBy === "this") modules.onEnd?.(sent, { kind: "expired", wasReported: true });
    });
    this.#queue = new PendingQueue(options.maxRunning, {
      isBefore: (first, second) => this.#isBefore(first, second),
      run: (entry) => this.#run(entry),
    });
  }

  /** Adds a message that a server accepted; a repeated one is ignored. Another process reports on what it sent. */
  add(message: Cell, sent: SentMessage, access: ChainAccess, sentBy: SendingProcess = "this"): void {
    if (this.#entries.has(sent) || this.#closing.signal.aborted) return;
    if (this.#queue.waiting >= this.#options.maxWaiting) {
      this.#counts.failed++;
      return;
    }
    const destination = findDestination(message);
    if (destination === undefined) return;
    this.#queue.add(this.#entries.add({ message, sent, access, sentBy, destination }));
  }

  /** The trace of a message, by either of the message's hashes. */
  find(hash: SentMessage["hash"]): PendingTrace | undefined {
    return this.#store.find(hash);
  }

  /** Traces that touch an account, latest first. */
  listOf(account: Address): readonly PendingTrace[] {
    return this.#store.listOf(account).toSorted(byEnd);
  }

  /** An account after the last prediction, while the chain still has the state that the prediction was run on. */
  findState(address: Address, { lt }: TransactionPoint): ShardAccount | undefined {
    const last = this.#states.findBefore(Number.POSITIVE_INFINITY, address);
    return last?.stateBases.get(address)?.chainLt === lt ? last.after.get(address) : undefined;
  }

  /** Runs messages that the chain has sent differently than predicted, given the trace as mixed with the chain. */
  resume(trace: PendingTrace, { trace: mixed, left }: MixedTrace): void {
    const entry = this.#entries.find(trace.sent);
    if (entry === undefined || this.#closing.signal.aborted) return;
    entry.hasLanded = true;
    if (listUntried(entry, left).length === 0 || isExhausted(entry)) return;
    if (this.#queue.waiting >= this.#options.maxWaiting) return;
    entry.rest = { of: trace, mixed, left };
    this.#queue.add(entry);
  }

  /** All traces, the oldest first. */
  list(): readonly PendingTrace[] {
    return this.#store.list();
  }

  /** Runs again what goes to accounts that the chain has changed by this masterchain block. */
  reconsider(accounts: ReadonlySet<Address>, mcSeqno: number): void {
    const moved = this.list().flatMap(({ sent }) => {
      const entry = this.#entries.find(sent);
      return entry !== undefined && accounts.has(entry.destination) ? [entry.place] : [];
    });
    this.#runAgain(moved, mcSeqno);
  }

  /** Deletes a trace that the chain has completed by this masterchain block. */
  drop(trace: PendingTrace, mcSeqno = 0): void {
    if (this.#store.drop(trace)) this.#leave(trace.sent, mcSeqno);
  }

  counters(): PendingCounters {
    const { size: traces, bytes } = this.#store;
    return { traces, bytes, ...this.#counts };
  }

  /** Waits until every added message is run, including repeated runs. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** Ends all runs and deletes all traces. */
  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "the pending traces are closed"));
    this.#queue.clear();
    await this.idle();
    for (const kept of [this.#store, this.#states, this.#entries]) kept.clear();
  }

  /** Messages to one account are run one after another, like on the chain. */
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
      // The message is sent regardless: after a failed run there is no prediction, or the previous one stays, until the
      // index has the trace.
      this.#counts.failed++;
      if (this.#states.find(entry.place) === undefined) this.#leave(entry.sent);
      log.debug("a sent message could not be emulated", { error });
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
    // It was dropped in the meantime.
    if (!this.#entries.has(entry.sent)) return;
    const outdated = placesOf(run.outdated);
    if (run.emulation !== undefined) {
      this.#put(entry, run, run.emulation, { classification, ranAtMs: nowMs });
    } else if (this.#isWorthAnother(entry, outdated)) {
      this.#queue.add(entry);
    } else {
      this.#counts.refused++;
      const wasReported = this.#store.find(entry.sent.normalizedHash) !== undefined;
      this.#store.remove(entry.sent.normalizedHash);
      this.#leave(entry.sent);
      if (entry.sentBy === "this")
        this.#modules.onEnd?.(entry.sent, { kind: "refused", exitCode: run.exitCode, wasReported });
    }
    this.#runAgain(outdated);
  }

  async #resume(entry: PendingEntry, rest: PendingRest, chain: Chain): Promise<void> {
    const { sent, tried } = entry;
    const isOutdated = () => this.#store.find(sent.normalizedHash) !== rest.of;
    entry.rest = undefined;
    if (isOutdated()) return;
    const left = listUntried(entry, rest.left);
    const runs = await runLeft(chain, sent, left, this.#options);
    for (const { message } of left) tried.add(message.hash);
    if (runs.length === 0 || isOutdated()) return;
    this.#counts.resumed++;
    this.#keep(withRest(rest.of, rest.mixed, runs));
  }

  #put(entry: PendingEntry, run: PendingRun, emulation: Emulation, { classification, ranAtMs }: RunDetails): void {
    const { place, sent, sentBy, destination } = entry;
    const { stateBases, bases } = run;
    this.#counts.emulated++;
    const laid = { place, run: this.#runs++, ranAtMs, stateBases, after: emulation.accounts };
    const stale = this.#states.put(laid);
    const trace: PendingTrace = {
      ...emulation,
      sent,
      sentBy,
      classification,
      afterLt: stateBases.get(destination)?.chainLt ?? 0n,
      standsOn: this.#entries.listAt(placesOf(bases)).map((base) => base.sent.normalizedHash),
    };
    this.#keep(trace);
    this.#runAgain(stale);
  }

  #keep(trace: PendingTrace): void {
    const accounts = trace.trace.transactions.map(({ account }) => account);
    this.#store.put(trace, accounts, weightOf(trace));
    if (trace.sentBy === "this") this.#modules.onTrace?.(trace);
  }

  /** Contracts that the traces it depends on would deploy; no index has them. */
  #contractsOf({ emulation, bases }: PendingRun): NewContracts {
    const traces = this.#entries
      .listAt(placesOf(bases))
      .flatMap(({ sent }) => this.#store.find(sent.normalizedHash) ?? []);
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

  /** Deletes a message; the input of those that depended on it has changed. */
  #leave(sent: SentMessage, mcSeqno = 0): void {
    const entry = this.#entries.find(sent);
    if (entry === undefined) return;
    this.#entries.remove(entry);
    this.#queue.remove(entry);
    this.#runAgain(this.#states.remove(entry.place), mcSeqno);
  }
}

interface RunDetails {
  readonly classification: Classification | undefined;
  readonly ranAtMs: number;
}

function placesOf(traces: ReadonlySet<AppliedTrace>): ReadonlySet<number> {
  return new Set([...traces].map(({ place }) => place));
}
