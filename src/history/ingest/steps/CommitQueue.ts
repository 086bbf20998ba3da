import type { Clock } from "../../../lib/clock.ts";
import type { EntityRows } from "../../entities/indexedEntities.ts";
import { HistoryError } from "../../errors.ts";
import type { Segment } from "../../store/schema/checkpoint.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import type { IndexExtent } from "../../store/write/commit.ts";
import type { AccountAfter } from "../decode/DecodedBatch.ts";

/**
 * Where rows go: all rows of some blocks with the new end of their segment, or nothing. Rows that were made before
 * older ones were removed are refused.
 */
export interface Sink {
  commit(batches: readonly BatchRows[], segment: Segment, made?: IndexExtent): Promise<void>;
}

/** Totals of one commit. */
export interface Advance {
  readonly nextSeqno: number;
  readonly blocks: number;
  readonly transactions: number;
}

/** A block that waits for its commit. */
export interface UncommittedBlock {
  readonly rows: BatchRows;
  /** Those of all accounts, also of accounts outside the scope. */
  readonly entities: EntityRows;
  readonly accounts: readonly AccountAfter[];
  /** How many transactions the block has. */
  readonly transactions: number;
}

export interface CommitModules {
  readonly sink: Sink;
  readonly clock: Clock;
}

/** What one transaction may write while far behind: rows, and milliseconds of work. */
export interface CommitLimits {
  readonly maxRows: number;
  readonly maxMs: number;
}

/** Blocks of one segment that are committed together, in order, one commit at a time. */
export class CommitQueue {
  readonly #modules: CommitModules;
  readonly #limits: CommitLimits;
  readonly #firstSeqno: number;
  #nextSeqno: number;
  /** Blocks that will be committed together. */
  #waiting: UncommittedBlock[] = [];
  #waitingRows = 0;
  #waitingSince = 0;
  /** The commit in progress. */
  #committing: Promise<void> = Promise.resolve();

  constructor(modules: CommitModules, { firstSeqno, nextSeqno }: Segment, limits: CommitLimits) {
    this.#modules = modules;
    this.#limits = limits;
    this.#firstSeqno = firstSeqno;
    this.#nextSeqno = nextSeqno;
  }

  /** The first block of the next commit. */
  get nextSeqno(): number {
    return this.#nextSeqno;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether the next commit should not get another block. */
  get isFull(): boolean {
    const { maxMs, maxRows } = this.#limits;
    return this.#modules.clock.monotonic() - this.#waitingSince >= maxMs || this.#waitingRows >= maxRows;
  }

  /** Begins the work on a block, which is refused out of order. The time of a commit begins with its first block. */
  begin(mcSeqno: number): void {
    if (mcSeqno !== this.#nextSeqno + this.#waiting.length)
      throw new HistoryError("history/mismatch", `block ${mcSeqno} is out of order`);
    if (this.isEmpty) this.#waitingSince = this.#modules.clock.monotonic();
  }

  add(block: UncommittedBlock): void {
    this.#waitingRows += countRows(block.rows);
    this.#waiting.push(block);
  }

  /** Waits for the commit in progress, and rejects if it failed. */
  finish(): Promise<void> {
    return this.#committing;
  }

  /** The blocks of the next commit. */
  take(): readonly UncommittedBlock[] {
    const blocks = this.#waiting;
    this.#waiting = [];
    this.#waitingRows = 0;
    this.#nextSeqno += blocks.length;
    return blocks;
  }

  /** Starts to commit blocks; the next caller of `finish` gets a failure. */
  start(blocks: readonly UncommittedBlock[], made: IndexExtent, committed: (advance: Advance) => void): void {
    this.#committing = this.#commit(blocks, made).then(committed);
    this.#committing.catch(() => {});
  }

  async #commit(blocks: readonly UncommittedBlock[], made: IndexExtent): Promise<Advance> {
    const batches = blocks.map(({ rows }) => rows);
    const nextSeqno = batches.reduce((last, { mcSeqno }) => Math.max(last, mcSeqno), 0) + 1;
    await this.#modules.sink.commit(batches, { firstSeqno: this.#firstSeqno, nextSeqno }, made);
    const transactions = blocks.reduce((sum, each) => sum + each.transactions, 0);
    return { nextSeqno, blocks: batches.length, transactions };
  }
}

function countRows({ transactions, messages, latestAccountStates, actions }: BatchRows): number {
  return transactions.length * 2 + messages.length * 2 + latestAccountStates.length + actions.length * 3;
}
