import { writeBoc } from "../cell/boc.ts";
import type { Cell } from "../cell/Cell.ts";
import { loadCell } from "../cell/codec.ts";
import { type Classification, classify } from "../contracts/classify.ts";
import type { Facts } from "../contracts/Facts.ts";
import type { Clock } from "../lib/clock.ts";
import { runWithin } from "../lib/deadline.ts";
import { isCoded } from "../lib/errors.ts";
import { LibError } from "../lib/libErrors.ts";
import type { Log } from "../lib/log.ts";
import { type Address, plainAddress } from "../model/Address.ts";
import { Message } from "../model/Message.ts";
import type { Trace } from "../model/Trace.ts";
import type { TraceLimits } from "../tvm/runTrace.ts";
import type { Chain } from "./Chain.ts";
import { type Emulation, emulateMessage } from "./emulation.ts";
import { ChainError } from "./errors.ts";
import type { Access } from "./LiveChains.ts";
import { withNewContracts } from "./newContracts.ts";
import { PendingShelf, type ShelfBounds } from "./PendingShelf.ts";
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

export interface PendingModules {
  /** Opens the chain as it is now for one run. */
  readonly openChain: (access: Access, signal: AbortSignal) => Chain;
  /** What is known of the accounts of a trace, for telling what it means. */
  readonly gatherFacts: (trace: Trace, signal: AbortSignal) => Promise<Facts>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a message that was sent through here will probably cause, until the chain says what it did. */
export interface PendingTrace extends Emulation {
  readonly sent: SentMessage;
  /** Absent when what is known of its accounts could not be gathered. */
  readonly classification: Classification | undefined;
}

/** What became of the messages that were sent. */
export interface PendingCounters {
  readonly traces: number;
  readonly bytes: number;
  /** Runs that gave a trace. */
  readonly emulated: number;
  /** Messages that their account would not take. */
  readonly refused: number;
  /** Runs that ended early, and messages for which there was no time. */
  readonly failed: number;
  /** Traces of which could not be told what they mean. */
  readonly unclassified: number;
}

interface Waiting {
  readonly message: Cell;
  readonly sent: SentMessage;
  readonly access: Access;
}

/**
 * Messages that were sent and are not on the chain yet, each run at once with all it causes. Runs happen in the
 * background and never hold up the sending; who asks compares with the index and drops what is confirmed.
 */
export class PendingTraces {
  readonly #options: PendingOptions;
  readonly #modules: PendingModules;
  readonly #shelf: PendingShelf<PendingTrace>;
  readonly #waiting: Waiting[] = [];
  readonly #inWork = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #emulated = 0;
  #refused = 0;
  #failed = 0;
  #unclassified = 0;

  constructor(options: PendingOptions, modules: PendingModules) {
    this.#options = options;
    this.#modules = modules;
    this.#shelf = new PendingShelf(options, modules.clock);
  }

  /** Takes note of a message that a server took; the same one twice is one. */
  add(message: Cell, sent: SentMessage, access: Access): void {
    const { normalizedHash } = sent;
    const isKnown = this.#shelf.find(normalizedHash) !== undefined || this.#inWork.has(normalizedHash);
    if (isKnown || this.#closing.signal.aborted || this.#isWaiting(sent)) return;
    if (this.#waiting.length >= this.#options.maxWaiting) {
      this.#failed++;
      return;
    }
    this.#waiting.push({ message, sent, access });
    this.#runNext();
  }

  /** The trace that a message began, by either of the message's hashes. */
  find(hash: SentMessage["hash"]): PendingTrace | undefined {
    return this.#shelf.find(hash);
  }

  /** Traces that touch an account, the latest first. */
  listOf(account: Address): readonly PendingTrace[] {
    return this.#shelf.listOf(account).toSorted(byEnd);
  }

  /** Forgets a trace, which the chain has told now. */
  drop(trace: PendingTrace): void {
    this.#shelf.drop(trace);
  }

  counters(): PendingCounters {
    const { size: traces, bytes } = this.#shelf;
    const [emulated, refused, failed] = [this.#emulated, this.#refused, this.#failed];
    return { traces, bytes, emulated, refused, failed, unclassified: this.#unclassified };
  }

  /** Waits until every message that was added is run. */
  async settled(): Promise<void> {
    while (this.#inWork.size > 0) await Promise.all(this.#inWork.values());
  }

  /** Ends all runs and forgets all traces. */
  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "pending traces are closed"));
    this.#waiting.length = 0;
    await this.settled();
    this.#shelf.clear();
  }

  #isWaiting({ normalizedHash }: SentMessage): boolean {
    return this.#waiting.some(({ sent }) => sent.normalizedHash === normalizedHash);
  }

  #runNext(): void {
    if (this.#inWork.size >= this.#options.maxRunning) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { normalizedHash } = next.sent;
    const work = this.#run(next).finally(() => {
      this.#inWork.delete(normalizedHash);
      this.#runNext();
    });
    this.#inWork.set(normalizedHash, work);
  }

  async #run({ message, sent, access }: Waiting): Promise<void> {
    const { clock, log } = this.#modules;
    try {
      await runWithin(
        clock,
        this.#options.timeoutMs,
        ({ signal }) => this.#emulate(message, sent, access, signal),
        this.#closing.signal,
      );
    } catch (error) {
      // The message is on its way whatever becomes of this: a run that fails leaves it untold until the index tells it.
      this.#failed++;
      log.debug("a sent message could not be run", { error });
    }
  }

  async #emulate(message: Cell, sent: SentMessage, access: Access, signal: AbortSignal): Promise<void> {
    const chain = this.#modules.openChain(access, signal);
    const emulation = await emulateMessage(chain, message, sent, destinationOf(message), this.#options);
    if (emulation === undefined) {
      this.#refused++;
      return;
    }
    this.#emulated++;
    const classification = await this.#classify(emulation, signal);
    const accounts = emulation.trace.transactions.map(({ account }) => account);
    this.#shelf.put({ ...emulation, sent, classification }, accounts, weightOf(emulation));
  }

  async #classify({ trace, contracts }: Emulation, signal: AbortSignal): Promise<Classification | undefined> {
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

function byEnd({ trace: a }: PendingTrace, { trace: b }: PendingTrace): number {
  return a.endLt === b.endLt ? 0 : a.endLt > b.endLt ? -1 : 1;
}

function destinationOf(message: Cell): Address {
  const { info } = loadCell(Message, message);
  if (info.kind === "externalOut") throw new ChainError("chain/not-external", "a message to the outside");
  return plainAddress(info.dest);
}

/** What a trace weighs in memory, about: its cells, and the values that were read from them. */
function weightOf({ transactions }: Emulation): number {
  return transactions.reduce((sum, { transaction }) => sum + 2048 + 3 * writeBoc(transaction.cell).length, 1024);
}
