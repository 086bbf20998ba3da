import { loadCell } from "../../cell/codec.ts";
import { isCoded } from "../../lib/errors.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { LiteError } from "../../lite/errors.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { type BlockIdExt, masterchain } from "../../model/block/BlockId.ts";
import type { ShardTop } from "../../model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { Hash } from "../../model/Hash.ts";
import type { ExternalMessage, Submission, Submit } from "../answers/kit/AnswerContext.ts";
import { refusalCode } from "../answers/kit/refusal.ts";
import { submitExternal } from "../answers/send.ts";
import { LocalnetError } from "../errors.ts";
import type { Fork } from "../fork/Fork.ts";
import { ChainView, headView } from "../ledger/ChainView.ts";
import type { Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import { findShardsToBegin } from "../ledger/shardCount.ts";
import { tryMessage } from "../rounds/acceptance.ts";
import { BlockSigners } from "../rounds/BlockSigners.ts";
import { ChainClock } from "../rounds/ChainClock.ts";
import { Environments } from "../rounds/Environments.ts";
import { Mempool, type MempoolMessage } from "../rounds/Mempool.ts";
import { RoundLoop, type RoundPace } from "../rounds/RoundLoop.ts";
import { RoundMaker, roundTurnMs } from "../rounds/RoundMaker.ts";
import type { BlockSignatureSet } from "../rounds/validators.ts";
import type { ChainFolder } from "../store/ChainFolder.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import { beginFork } from "./beginFork.ts";
import { Controls } from "./Controls.ts";
import { ElectionDuty } from "./ElectionDuty.ts";
import { LocalLiteServer } from "./LocalLiteServer.ts";
import type { LocalnetModules, LocalnetOptions } from "./LocalnetOptions.ts";
import { listOrdinaryAccounts } from "./listOrdinaryAccounts.ts";
import { methodRunner } from "./methodRunner.ts";
import { findHistory, type OpenChain, openChain } from "./openChain.ts";

/** A running local chain: accepts messages, makes blocks, answers as a lite server. */
export class Localnet {
  readonly keys: NetworkKeys;
  readonly ledger: Ledger;
  /** What it has of another network, if it continues one. */
  readonly fork: Fork | undefined;
  /** The chain as a lite server. */
  readonly lite: LocalLiteServer;
  /** The time of the chain. */
  readonly clock: ChainClock;
  /** What its owner does to it without any key. */
  readonly controls: Controls;
  readonly #modules: LocalnetModules;
  readonly #folder: ChainFolder | undefined;
  readonly #mempool: Mempool;
  readonly #environments: Environments;
  readonly #signers: BlockSigners;
  readonly #duty: ElectionDuty;
  readonly #rounds: RoundMaker;
  readonly #turns: TurnBudget;
  readonly #loop: RoundLoop;
  #hasBegun = false;
  /** When the newest block was made, or the chain was opened, in monotonic time. */
  #headSinceMs: number;

  /** Opens the chain of the folder, or a new one, and starts making blocks. */
  static async open(options: LocalnetOptions, modules: LocalnetModules): Promise<Localnet> {
    const net = new Localnet(options, modules, await openChain(options, modules));
    await net.#begin();
    return net;
  }

  private constructor(options: LocalnetOptions, modules: LocalnetModules, chain: OpenChain) {
    const { keys, ledger, folder, fork } = chain;
    this.keys = keys;
    this.fork = fork;
    this.#modules = modules;
    this.#folder = folder;
    this.#headSinceMs = modules.clock.monotonic();
    this.ledger = ledger;
    if (options.cellBytes !== undefined) ledger.limitCells(options.cellBytes);
    this.clock = new ChainClock(modules.clock, findHistory(ledger, options, fork));
    // A chain whose time was advanced is ahead of the clock when it is opened again.
    this.clock.reach(this.ledger.head?.info.genUtime ?? 0);
    this.#mempool = new Mempool(options.mempool ?? {}, modules.clock);
    const { clock } = this;
    const { executor, log } = modules;
    this.#signers = new BlockSigners(ledger, keys.validators);
    this.#duty = new ElectionDuty(this, keys.stakes, log);
    this.#turns = new TurnBudget(modules.clock, roundTurnMs);
    this.#environments = new Environments(ledger, (hash) => fork?.missLibrary(hash));
    const shared = { ledger, executor, log, signers: this.#signers, mempool: this.#mempool };
    const { seed, pace } = options;
    const paceMs = pace.kind === "steady" ? pace.blockMs : undefined;
    this.#rounds = new RoundMaker(
      { seed, paceMs },
      {
        ...shared,
        environments: this.#environments,
        clock: modules.clock,
        blockLog: folder,
        fork,
      },
    );
    const loopModules = {
      clock: modules.clock,
      log,
      make: () => this.#round(this.#rounds),
      hasWork: () => this.hasWork,
      isStuck: () => this.fork?.isStuck === true,
    };
    this.#loop = new RoundLoop(options.pace, loopModules);
    this.controls = new Controls({
      ...{ ledger, clock, mempool: this.#mempool, impersonated: this.#environments.impersonated },
      wake: () => this.#loop.wake(),
      refuseStalled: () => this.refuseStalled(),
    });
    this.lite = new LocalLiteServer({
      ledger,
      clock,
      runMethod: methodRunner(executor, ledger, this.#environments),
      fork,
      submit: (message, signal) => this.#accept(message, signal),
      signatures: (id) => this.#signaturesOf(id),
      reportsPending: true,
      proofBytes: options.proofBytes,
    });
  }

  /** The number by which wallets and signatures distinguish networks. */
  get globalId(): number {
    return this.fork?.facts.globalId ?? loadCell(ShardStateUnsplit, this.ledger.zero.root).globalId;
  }

  /** Whether the next round would have work. */
  get hasWork(): boolean {
    return this.#mempool.size > 0 || headView(this.ledger).hasQueued;
  }

  /** The age of the newest block. The time in the block is not used: it may be ahead of the clock. */
  get headAgeMs(): number {
    return this.#modules.clock.monotonic() - this.#headSinceMs;
  }

  /** Refuses while no block can be written: a message that is accepted now would wait, and may expire, unseen. */
  refuseStalled(): void {
    if (this.#rounds.stalledBy !== undefined) throw this.#rounds.stalledBy;
  }

  /** Whether a message waits for a block. */
  isPending(hash: Hash): boolean {
    return this.#mempool.has(hash);
  }

  /** How many messages wait for a block. */
  get pending(): number {
    return this.#mempool.size;
  }

  /** The messages that wait for a block, controls first, then the oldest. */
  waiting(): readonly MempoolMessage[] {
    return this.#mempool.list(Number.POSITIVE_INFINITY);
  }

  /** Drops a message that waits for a block; false if it does not. */
  drop(hash: Hash): boolean {
    const isWaiting = this.#mempool.has(hash);
    this.#mempool.remove(hash, "dropped");
    return isWaiting;
  }

  /** When rounds are made. */
  get pace(): RoundPace {
    return this.#loop.pace;
  }

  setPace(pace: RoundPace): void {
    this.#rounds.setPace(pace.kind === "steady" ? pace.blockMs : undefined);
    this.#loop.setPace(pace);
  }

  get isPaused(): boolean {
    return this.#loop.isPaused;
  }

  /** Sends a message like a client; a refusal is `lite/server` with a node's number and text. */
  async submit(boc: Uint8Array, signal?: AbortSignal): Promise<void> {
    const submit: Submit = (message, until) => this.#accept(message, until);
    try {
      const send = () => submitExternal({ ledger: this.ledger, submit }, boc, signal);
      await (this.fork?.withCells(send, signal) ?? send());
    } catch (error) {
      if (!isCoded(error, "localnet/refusal")) throw error;
      const data = { serverCode: error.data.serverCode, serverMessage: error.message };
      const text = `liteServer.sendMessage: ${error.message} (${error.data.serverCode})`;
      throw new LiteError("lite/server", text, { data, cause: error });
    }
  }

  /** An account after the newest block. */
  account(address: Address): ShardAccount {
    return headView(this.ledger).shardAccount(address);
  }

  /** All accounts after the newest block but those that the chain itself needs; of a fork, those that are here. */
  accounts(): Promise<readonly Address[]> {
    return listOrdinaryAccounts(headView(this.ledger));
  }

  /** Fetches accounts that a fork does not have yet. Whoever reads accounts of which he knows nothing does so first. */
  async touch(addresses: Iterable<Address>, signal?: AbortSignal): Promise<void> {
    await this.fork?.touch(addresses, signal);
  }

  /** Makes one round now; rounds never overlap. */
  step(): Promise<LedgerBlock> {
    return this.#loop.step();
  }

  /** Makes no more rounds by itself until it is resumed. */
  pause(): void {
    this.#loop.pause();
  }

  resume(): void {
    this.#loop.resume();
  }

  /** Advances the time of the chain by seconds; the next block has the new time. */
  advanceTime(seconds: number): void {
    this.clock.advance(seconds);
    this.#loop.wake();
  }

  /** Every new masterchain block, from the next one on. */
  async *heads(signal: AbortSignal): AsyncGenerator<LedgerBlock> {
    for (let next = this.ledger.headId.seqno + 1; ; next++) {
      await this.ledger.reach(next, signal);
      yield this.ledger.getMaster(next);
    }
  }

  /** Writes the current chain to one file; not possible for a chain in memory. */
  async archive(path: string): Promise<void> {
    if (this.#folder === undefined) throw new LocalnetError("localnet/data", "the chain is stored in memory only");
    await this.#folder.archive(path);
  }

  /** Finishes the round in flight and all queries, and stores the chain. */
  async close(): Promise<void> {
    await this.#loop.close();
    await this.lite.close();
    await this.#folder?.close();
  }

  /** Ends immediately; the chain ends with its last confirmed round. */
  async destroy(reason: LocalnetError): Promise<void> {
    this.#loop.destroy();
    this.lite.destroy(new LiteError("lite/closed", reason.message, { cause: reason }));
    await this.#folder?.destroy();
  }

  /** A chain without blocks of all its shards is not usable, so a new one begins with those. */
  async #begin(): Promise<void> {
    if (this.fork !== undefined) await beginFork(this.fork, this);
    const view = new ChainView(this.ledger);
    const wanted = this.fork === undefined ? findShardsToBegin(this.ledger) : 1;
    const isReady = (tops: readonly ShardTop[]): boolean =>
      tops.length >= (wanted ?? 0) &&
      tops.every(({ description }) => description.seqno > 0 && !description.beforeSplit);
    while (wanted !== undefined && !isReady(view.tops())) await this.step();
    this.#hasBegun = true;
    this.#loop.start();
  }

  async #round(rounds: RoundMaker): Promise<LedgerBlock> {
    const before = headView(this.ledger).topIds().length;
    const head = await rounds.make(this.#roundTime());
    const shards = headView(this.ledger).topIds().length;
    const text = shards > before ? "shards have split" : "shards have merged";
    if (shards !== before && this.#hasBegun) this.#modules.log.info(text, { shards, seqno: head.id.seqno });
    this.clock.reach(head.info.genUtime);
    this.#headSinceMs = this.#modules.clock.monotonic();
    // The validators of a fork are not elected.
    if (this.fork === undefined) await this.#duty.afterRound();
    await this.#folder?.afterRound(() => this.#turns.yieldIfDue());
    return head;
  }

  /** Until a chain has its first blocks its time advances one second per block, as splitting requires. */
  #roundTime(): number {
    const { ledger, clock } = this;
    if (this.#hasBegun) return clock.seconds;
    const last = ledger.head?.info.genUtime ?? loadCell(ShardStateUnsplit, ledger.zero.root).genUtime;
    return Math.min(clock.seconds, last + 1);
  }

  async #accept(message: ExternalMessage, signal?: AbortSignal): Promise<Submission> {
    const { cell, dest } = message;
    const { ledger, clock } = this;
    this.refuseStalled();
    await this.touch([dest], signal);
    const { aheadSeconds } = clock;
    const modules = { ledger, clock, aheadSeconds, environments: this.#environments, executor: this.#modules.executor };
    const trying = () => tryMessage(modules, dest, cell, signal);
    const submission = await (this.fork?.complete(trying, signal) ?? trying());
    if (submission.kind === "refused") return submission;
    if (this.#mempool.add(message) === "full")
      return { kind: "refused", code: refusalCode.notReady, message: `too many external messages to address ${dest}` };
    this.#loop.wake();
    return submission;
  }

  #signaturesOf(id: BlockIdExt): BlockSignatureSet | undefined {
    const block = id.workchain === masterchain ? this.ledger.findBlock(id) : undefined;
    return block === undefined ? undefined : this.#signers.sign(block);
  }
}
