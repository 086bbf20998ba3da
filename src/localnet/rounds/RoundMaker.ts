import type { Clock } from "../../lib/clock.ts";
import { type CodedError, isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { seededRandom } from "../../lib/random.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { MadeBlock } from "../collate/assemble.ts";
import type { ExternalOutcome } from "../collate/BlockInput.ts";
import { LocalnetError } from "../errors.ts";
import type { CheckedBlock, Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import type { StoredPosition } from "../ledger/LedgerBlocks.ts";
import { BlockMaker } from "./BlockMaker.ts";
import type { BlockSigners } from "./BlockSigners.ts";
import type { Environments } from "./Environments.ts";
import { ExternalsBudget } from "./ExternalsBudget.ts";
import type { Mempool, MempoolMessage } from "./Mempool.ts";
import { QueueBudget } from "./QueueBudget.ts";

/** Stores blocks before they are published. */
export interface BlockLog {
  /** Resolves when the blocks of a round are durable; returns where each can be read again. */
  append(blocks: readonly CheckedBlock[]): Promise<readonly StoredPosition[]>;
}

export interface RoundModules {
  readonly ledger: Ledger;
  readonly environments: Environments;
  readonly mempool: Mempool;
  readonly executor: Executor;
  readonly signers: BlockSigners;
  readonly clock: Clock;
  readonly log: Log;
  /** None: the chain is in memory only. */
  readonly blockLog: BlockLog | undefined;
  /** What the chain has of the one that it continues. */
  readonly fork?: PartialOrigin | undefined;
}

/** A chain that a fork has only a part of. */
export interface PartialOrigin {
  /** Whether an account has to be fetched before a block delivers a message to it. */
  mustFetch(address: Address): boolean;
  /** Fetches the accounts for which messages wait. */
  fetchMissed(): Promise<void>;
  /** Runs something, and again with what it needs of that chain. */
  complete<T>(run: () => Promise<T>): Promise<T>;
}

export interface RoundOptions {
  readonly seed: string;
  /** The target time of a round: it tries only as many external messages as fit; all of them by default. */
  readonly paceMs: number | undefined;
}

/** The largest number of messages tried in one round. */
const maxMessages = 4096;

/** How long a round holds the event loop at a time: requests wait for it. */
export const roundTurnMs = 3;

/** Makes rounds: one block of each shard and the masterchain block that commits them. */
export class RoundMaker {
  readonly #modules: RoundModules;
  readonly #options: RoundOptions;
  #budget: ExternalsBudget;
  #queueBudget: QueueBudget;
  readonly #turns: TurnBudget;
  /** Halved by every failed round, so that a message that breaks rounds is found; 0 tries a round without any. */
  #max = maxMessages;
  /** A message whose round failed alone. It is dropped only if a round without it succeeds. */
  #suspect: MempoolMessage | undefined;
  #stalledBy: CodedError<"lib/storage"> | undefined;

  constructor(options: RoundOptions, modules: RoundModules) {
    this.#options = options;
    this.#modules = modules;
    this.#turns = new TurnBudget(modules.clock, roundTurnMs);
    const { paceMs = Number.POSITIVE_INFINITY } = options;
    this.#budget = new ExternalsBudget(paceMs);
    this.#queueBudget = new QueueBudget(paceMs);
  }

  /** Changes the target time of rounds; what was learned of their cost is learned again. */
  setPace(paceMs = Number.POSITIVE_INFINITY): void {
    this.#budget = new ExternalsBudget(paceMs);
    this.#queueBudget = new QueueBudget(paceMs);
  }

  /** Why no block can be written since the last round, if that is so: a full disk, for example. */
  get stalledBy(): CodedError<"lib/storage"> | undefined {
    return this.#stalledBy;
  }

  /**
   * Makes a round with this time and adds it to the chain; when it fails, the chain is unchanged. A failure of the
   * system is never blamed on the messages: they stay and are tried again.
   */
  async make(now: number): Promise<LedgerBlock> {
    await this.#modules.fork?.fetchMissed();
    const batch = this.#modules.mempool.list(this.#max);
    try {
      const head = await this.#makeFrom(batch, now);
      this.#stalledBy = undefined;
      this.#learnSuccess(batch);
      return head;
    } catch (error) {
      this.#stalledBy = isCoded(error, "lib/storage") ? error : undefined;
      if (!isSystemFailure(error)) this.#learnFailure(batch);
      throw error;
    } finally {
      this.#modules.ledger.pending.clear();
    }
  }

  async #makeFrom(batch: readonly MempoolMessage[], now: number): Promise<LedgerBlock> {
    const { ledger, mempool, clock } = this.#modules;
    const { seed } = this.#options;
    const beganAt = clock.monotonic();
    let triedAt = beganAt;
    let queueBytes = 0;
    const tried = new Map<Hash, ExternalOutcome>();
    const seqno = ledger.headId.seqno + 1;
    const { fork } = this.#modules;
    const pause = () => this.#turns.yieldIfDue();
    const mustFetch = fork && ((address: Address) => fork.mustFetch(address));
    const makeBlocks = (): Promise<readonly MadeBlock[]> => {
      tried.clear();
      // The same chain makes the same blocks, wherever it is opened.
      const random = seededRandom(`block ${seqno} of ${seed}`);
      const maker = new BlockMaker({ ...this.#modules, random, pause, mustFetch });
      return maker.make(Math.max(now, ledger.head?.info.genUtime ?? 0), {
        messages: batch,
        onTried: (message, outcome) => {
          tried.set(message.hash(), outcome);
          triedAt = clock.monotonic();
        },
        onShards: (shards) => this.#showPending(shards),
        isLate: () => this.#budget.isSpent(clock.monotonic() - beganAt, tried.size),
        isQueueSpent: (bytes) => {
          queueBytes = bytes;
          return this.#queueBudget.isSpent(bytes);
        },
      });
    };
    const made = await (fork?.complete(makeBlocks) ?? makeBlocks());
    const checked = made.map((block) => ledger.checkOwn(block));
    const places = await this.#modules.blockLog?.append(checked);
    const head = checked.map((block, i) => ledger.take(block, places?.[i])).at(-1);
    if (head === undefined) throw new LocalnetError("localnet/block", "a round without blocks");
    for (const hash of tried.keys()) mempool.remove(hash);
    const wholeMs = clock.monotonic() - beganAt;
    this.#budget.learn({ tried: tried.size, externalsMs: triedAt - beganAt, wholeMs });
    const wholeBytes = checked.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#queueBudget.learn({ queueBytes, wholeBytes, wholeMs });
    return head;
  }

  /** Their states, too, can be asked for. */
  #showPending(shards: readonly MadeBlock[]): void {
    const { ledger } = this.#modules;
    for (const { id, state, bytes } of shards) ledger.keepState(id, state, bytes.length);
    ledger.pending.show(shards);
  }

  #learnSuccess(batch: readonly MempoolMessage[]): void {
    this.#max = maxMessages;
    const suspect = this.#suspect;
    this.#suspect = undefined;
    if (suspect === undefined || batch.length > 0) return;
    const { log, mempool } = this.#modules;
    log.warn("dropped a message that makes every block fail", { hash: suspect.hash, dest: suspect.dest });
    mempool.remove(suspect.hash, "dropped");
  }

  #learnFailure(batch: readonly MempoolMessage[]): void {
    const [only] = batch;
    this.#suspect = batch.length === 1 ? only : undefined;
    this.#max = Math.floor(batch.length / 2);
  }
}

/** Whether the system failed, not the making of blocks; errors of the platform name the call that failed. */
function isSystemFailure(error: unknown): boolean {
  return isCoded(error, "lib/storage") || isCoded(error, "localnet/locked") || "syscall" in Object(error);
}
