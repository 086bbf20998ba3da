import { AugmentedDictionary } from "../../cell/augmentedDictionary.ts";
import { changeEntriesInSteps, rebuildInSteps } from "../../cell/augmentedEdits.ts";
import type { Cell } from "../../cell/Cell.ts";
import { hashKey } from "../../cell/keys.ts";
import { Linked, makeLinked } from "../../cell/linked.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { type Address, accountOf, makeAddress, plainAddress } from "../../model/Address.ts";
import { shardContains } from "../../model/block/BlockId.ts";
import {
  type ImportFees,
  InMsg,
  type InMsgDescr,
  importFeesSum,
  OutMsg,
  type OutMsgDescr,
} from "../../model/block/messageDescriptors.ts";
import type { EnqueuedMsg, OutMsgQueue } from "../../model/block/OutMsgQueue.ts";
import { addCurrency, type CurrencyCollection, coinsOnly, currencySum, noCurrency } from "../../model/Currency.ts";
import type { BlockLimits } from "../../model/config/limits.ts";
import type { Hash } from "../../model/Hash.ts";
import { type InCell, loadInCell, Message } from "../../model/Message.ts";
import type { MessageEnvelope, MessageMetadata } from "../../model/MessageEnvelope.ts";
import { Transaction } from "../../model/Transaction.ts";
import { LocalnetError } from "../errors.ts";
import type { TurnPause } from "./BlockInput.ts";
import { balanceOf, ControlledValue } from "./ControlledValue.ts";
import { endsOf, fwdFeeOf, makeEnvelope, queueKey, routeFrom, valueIn } from "./envelope.ts";
import { BlockBytes, type BlockLoad, gasOf, isFull, isOverfull, queueOverhead, transactionOverhead } from "./load.ts";
import type { QueuedMessage } from "./neighbor.ts";
import type { Runner, RunResult } from "./Runner.ts";
import type { WorkAccounts } from "./WorkAccounts.ts";

/** A message that a transaction of this block sent and that is not delivered yet. */
interface NewMessage {
  readonly lt: bigint;
  readonly hash: Hash;
  readonly message: InCell<Message>;
  readonly transaction: Linked<Transaction>;
  readonly metadata: MessageMetadata | undefined;
  /** Whether a message from a queue caused it. */
  readonly isOfQueue: boolean;
}

export interface MessageWorkOptions {
  readonly workchain: number;
  readonly shard: bigint;
  readonly now: number;
  readonly startLt: bigint;
  readonly runner: Runner;
  readonly accounts: WorkAccounts;
  readonly queue: OutMsgQueue;
  /** Whether envelopes contain the initiator of the trace. */
  readonly withMetadata: boolean;
  /** The limits of a block. */
  readonly limits: BlockLimits;
  readonly pause: TurnPause | undefined;
  /** Whether a block takes no more messages from queues, after these have caused so many bytes; never by default. */
  readonly isQueueSpent: ((bytes: number) => boolean) | undefined;
}

const noFees: ImportFees = { feesCollected: 0n, valueImported: noCurrency };

/**
 * The messages of a block: runs transactions on incoming ones, delivers those within the shard immediately, in the
 * order of logical times, and queues the rest; keeps the block's two message lists.
 */
export class MessageWork {
  readonly #options: MessageWorkOptions;
  /** By key of the queue: added messages, and those that are gone. */
  readonly #queueChanges = new Map<string, { readonly value: EnqueuedMsg; readonly extra: bigint } | undefined>();
  #queueChange = 0;
  readonly #in = new Map<Hash, readonly [Hash, InMsg, ImportFees]>();
  readonly #out = new Map<Hash, readonly [Hash, OutMsg, CurrencyCollection]>();
  /** Of the transactions so far. */
  readonly #size = new BlockBytes();
  /** In the order of delivery, from `#delivered` on. */
  readonly #new: NewMessage[] = [];
  #delivered = 0;
  #maxLt: bigint;
  #gas = 0;
  #transactions = 0;
  /** Transactions of messages from queues, and of those that they caused. */
  #ofQueues = 0;
  #last: { readonly lt: bigint; readonly hash: Hash } | undefined;
  /** The coins that controls created and destroyed. */
  readonly controlled = new ControlledValue();
  /** Set when the block is full: messages that would be delivered immediately wait in the queue instead. */
  enqueueOnly = false;

  constructor(options: MessageWorkOptions) {
    this.#options = options;
    this.#maxLt = options.startLt + 1n;
  }

  /** The end of the block so far. */
  get maxLt(): bigint {
    return this.#maxLt;
  }

  /** Gas of the transactions so far. */
  get gas(): number {
    return this.#gas;
  }

  /** Whether the block has reached its limits, as far as its transactions show. */
  get isFull(): boolean {
    return this.#isFullAfter(0);
  }

  /**
   * Whether an external message has no room. Messages that wait for their delivery have theirs: what does not come into
   * this block goes through the queue, which is several times the work.
   */
  get isFullForExternals(): boolean {
    return this.#isFullAfter(this.#new.length - this.#delivered);
  }

  /** With this many more transactions like those so far. */
  #isFullAfter(more: number): boolean {
    return isFull(this.#loadAfter(more), this.#options.limits);
  }

  #loadQueued(): BlockLoad {
    const load = this.#loadAfter(0);
    return { ...load, bytes: load.bytes + (this.#new.length - this.#delivered) * queueOverhead };
  }

  #loadAfter(more: number): BlockLoad {
    const growth = 1 + more / Math.max(1, this.#transactions);
    const ltDelta = Number(this.#maxLt - this.#options.startLt);
    const transactions = this.#size.bytes + this.#transactions * transactionOverhead;
    const bytes = transactions * growth + this.#queueChanges.size * queueOverhead;
    return { bytes, gas: this.#gas * growth, ltDelta };
  }

  /** Whether a message from a queue has no room, if all that wait for their delivery go into the queue. */
  get isFullForQueued(): boolean {
    return isFull(this.#loadQueued(), this.#options.limits) || this.#isQueueSpent;
  }

  /** Whether messages from queues have had their part of the round: at least one is taken in every block. */
  get #isQueueSpent(): boolean {
    if (this.#ofQueues === 0) return false;
    return this.#options.isQueueSpent?.((this.#loadQueued().bytes * this.#ofQueues) / this.#transactions) === true;
  }

  /** Whether even external messages have no room after those from queues have filled the block. */
  get isOverfull(): boolean {
    return isOverfull(this.#loadQueued(), this.#options.limits);
  }

  /** The queue after the block. It is made at the end, all at once, like the lists. */
  *queueAfter(): Steps<OutMsgQueue> {
    return yield* changeEntriesInSteps(this.#options.queue, this.#queueChanges);
  }

  /** The change of the queue's length. */
  get queueChange(): number {
    return this.#queueChange;
  }

  /** The lists are made at the end, all at once: that is a tenth of the work of adding one message after another. */
  *listIn(): Steps<InMsgDescr> {
    return yield* rebuildInSteps(new AugmentedDictionary(undefined, hashKey, InMsg, importFeesSum), this.#in.values());
  }

  *listOut(): Steps<OutMsgDescr> {
    return yield* rebuildInSteps(new AugmentedDictionary(undefined, hashKey, OutMsg, currencySum), this.#out.values());
  }

  /** The size of the block's lists. The transactions, most of their cells, are counted already. */
  *sizeWith(lists: readonly (Cell | undefined)[]): Steps<number> {
    for (const list of lists) if (list !== undefined) yield* this.#size.addInSteps(list);
    return this.#size.bytes;
  }

  /** The last processed internal message, if any. */
  get lastProcessed(): { readonly lt: bigint; readonly hash: Hash } | undefined {
    return this.#last;
  }

  /** Runs an external message; false when the contract does not accept it. */
  async takeExternal(cell: Cell): Promise<boolean> {
    const message = loadInCell(Message, cell);
    if (message.info.kind !== "externalIn") throw new LocalnetError("localnet/block", "not an external message");
    const { startLt } = this.#options;
    const after = this.#last?.lt ?? 0n;
    const ran = await this.#run(plainAddress(message.info.dest), cell, after > startLt + 1n ? after : startLt + 1n);
    if (ran === undefined) return false;
    this.#putIn(cell.hash(), { kind: "external", message: new Linked(cell, Message), transaction: link(ran) }, noFees);
    this.#send(ran, this.#firstMetadata(ran), false);
    return true;
  }

  /** Processes a message from a queue, a neighbour's or our own. */
  async takeQueued(queued: QueuedMessage, isOwn: boolean): Promise<void> {
    this.#ofQueues++;
    const envelope = queued.envelope.load();
    const message = loadInCell(Message, envelope.message.cell);
    const ran = await this.#deliver(message);
    const { fwdFeeRemaining } = envelope;
    const value = addCurrency(valueIn(message), coinsOnly(fwdFeeRemaining));
    const inMsg: InMsg = {
      kind: "final",
      inEnvelope: queued.envelope,
      transaction: link(ran),
      fwdFee: fwdFeeRemaining,
    };
    this.#putIn(queued.hash, inMsg, { feesCollected: fwdFeeRemaining, valueImported: value });
    if (isOwn) {
      this.#dropFromQueue(queued.key);
      const reimport = makeLinked(InMsg, inMsg);
      this.#putOut(queued.hash, { kind: "dequeueImmediate", outEnvelope: queued.envelope, reimport }, noCurrency);
    }
    this.noteProcessed(queued);
    this.#send(ran, this.#nextMetadata(envelope), true);
  }

  /** Removes a message that its receiver has processed. */
  dequeue(queued: QueuedMessage, importBlockLt: bigint): void {
    this.#dropFromQueue(queued.key);
    const nextPrefix = BigInt(`0x${queued.nextPrefix.slice(0, 16)}`);
    const envelopeHash = queued.envelope.cell.hash();
    const { nextWorkchain } = queued;
    const outMsg: OutMsg = { kind: "dequeueShort", envelopeHash, nextWorkchain, nextPrefix, importBlockLt };
    this.#putOut(queued.hash, outMsg, noCurrency);
  }

  /** Delivers a message without a sender: recovered fees, or minted coins. */
  async takeSpecial(message: InCell<Message>): Promise<Linked<InMsg>> {
    const ran = await this.#deliver(message);
    const inEnvelope = makeEnvelope(message, { currentBits: 96, nextBits: 96 }, 0n, undefined);
    const inMsg: InMsg = { kind: "immediate", inEnvelope, transaction: link(ran), fwdFee: 0n };
    this.#putIn(message.cell.hash(), inMsg, noFees);
    this.#send(ran, this.#firstMetadata(ran), false);
    return makeLinked(InMsg, inMsg);
  }

  /**
   * Takes a control of the network's owner: an external message that writes an account, or an internal one from any
   * address. Coins that come or go with it are counted apart.
   */
  async takeControl(cell: Cell): Promise<void> {
    const message = loadInCell(Message, cell);
    if (message.info.kind === "internal") {
      await this.takeSpecial(message);
      this.controlled.add(noCurrency, message.info.value);
      return;
    }
    const { accounts, runner, now, startLt } = this.#options;
    if (message.info.kind === "externalOut") throw new LocalnetError("localnet/block", "not a control");
    const account = accountOf(plainAddress(message.info.dest));
    const before = accounts.current(account);
    const lt = accounts.nextLt(account, startLt + 1n);
    const ran = runner.runWrite({ shardAccount: before, message: cell, now, lt });
    this.controlled.add(balanceOf(before), balanceOf(ran.shardAccount));
    const transaction = link(this.#apply(account, ran));
    this.#putIn(cell.hash(), { kind: "external", message: new Linked(cell, Message), transaction }, noFees);
  }

  async tickTock(account: Hash, isTock: boolean, lt: bigint): Promise<void> {
    const { accounts, runner, now } = this.#options;
    const shardAccount = accounts.current(account);
    const ran = await runner.runTickTock({ shardAccount, now, lt: accounts.nextLt(account, lt), isTock });
    const transaction = this.#apply(account, ran);
    this.#send(transaction, this.#firstMetadata(transaction), false);
  }

  /** Delivers or queues the messages sent so far, and those they cause, until more wait than the block can queue. */
  async drain(): Promise<void> {
    const first = this.#new.length - this.#delivered;
    for (let next = this.#new[this.#delivered]; next !== undefined; next = this.#new[this.#delivered]) {
      await this.#options.pause?.();
      this.#delivered++;
      const { dest } = endsOf(next.message);
      const { workchain, shard } = this.#options;
      const isOver = this.#new.length - this.#delivered > first && isFull(this.#loadQueued(), this.#options.limits);
      if (isOver || this.isFull || (next.isOfQueue && this.#isQueueSpent)) this.enqueueOnly = true;
      const stays = dest.startsWith(`${workchain}:`) && shardContains(shard, accountOf(dest));
      if (stays && this.#options.accounts.mustFetch(dest)) this.enqueueOnly = true;
      if (stays && !this.enqueueOnly) await this.#deliverNow(next);
      else this.#enqueue(next);
    }
  }

  /** Remembers how far the incoming messages are processed. */
  noteProcessed(message: { readonly lt: bigint; readonly hash: Hash }): void {
    const last = this.#last;
    if (last === undefined || message.lt > last.lt || (message.lt === last.lt && message.hash > last.hash))
      this.#last = { lt: message.lt, hash: message.hash };
  }

  async #deliverNow({ message, transaction, metadata, lt, hash, isOfQueue }: NewMessage): Promise<void> {
    if (isOfQueue) this.#ofQueues++;
    const ran = await this.#deliver(message);
    const fwdFee = fwdFeeOf(message);
    const envelope = makeEnvelope(message, { currentBits: 96, nextBits: 96 }, fwdFee, metadata);
    const inMsg: InMsg = { kind: "immediate", inEnvelope: envelope, transaction: link(ran), fwdFee };
    this.#putIn(hash, inMsg, { feesCollected: fwdFee, valueImported: noCurrency });
    const reimport = makeLinked(InMsg, inMsg);
    const outMsg: OutMsg = { kind: "immediate", outEnvelope: envelope, transaction, reimport };
    this.#putOut(hash, outMsg, noCurrency);
    this.noteProcessed({ lt, hash });
    this.#send(ran, this.#nextMetadata(envelope.load()), isOfQueue);
  }

  #enqueue({ message, transaction, metadata, lt, hash }: NewMessage): void {
    const { src, dest } = endsOf(message);
    const route = routeFrom(this.#options, src, dest);
    const fwdFee = fwdFeeOf(message);
    const envelope = makeEnvelope(message, route, fwdFee, metadata);
    const outMsg: OutMsg = { kind: "new", outEnvelope: envelope, transaction };
    this.#putOut(hash, outMsg, addCurrency(valueIn(message), coinsOnly(fwdFee)));
    this.#queueChanges.set(queueKey(route, hash), { value: { enqueuedLt: lt, envelope }, extra: lt });
    this.#queueChange++;
  }

  #dropFromQueue(key: string): void {
    this.#queueChanges.set(key, undefined);
    this.#queueChange--;
  }

  async #deliver(message: InCell<Message>): Promise<InCell<Transaction>> {
    const ran = await this.#run(endsOf(message).dest, message.cell, this.#options.startLt + 1n);
    if (ran === undefined) throw new LocalnetError("localnet/block", "an internal message was not accepted");
    return ran;
  }

  async #run(dest: Address, message: Cell, lt: bigint): Promise<InCell<Transaction> | undefined> {
    const { accounts, runner, now } = this.#options;
    const account = accountOf(dest);
    const shardAccount = accounts.current(account);
    const ran = await runner.runMessage({ shardAccount, message, now, lt: accounts.nextLt(account, lt) });
    return ran === undefined ? undefined : this.#apply(account, ran);
  }

  #apply(account: Hash, ran: RunResult): InCell<Transaction> {
    const { transaction } = ran;
    this.#options.accounts.apply(account, ran);
    const endLt = transaction.lt + BigInt(transaction.outCount) + 1n;
    if (endLt > this.#maxLt) this.#maxLt = endLt;
    this.#transactions++;
    this.#gas += gasOf(transaction);
    this.#size.add(transaction.cell);
    return transaction;
  }

  #send(transaction: InCell<Transaction>, metadata: MessageMetadata | undefined, isOfQueue: boolean): void {
    for (const message of transaction.messages.out.values()) {
      if (message.info.kind === "externalOut") {
        const outMsg: OutMsg = {
          kind: "external",
          message: new Linked(message.cell, Message),
          transaction: link(transaction),
        };
        this.#putOut(message.cell.hash(), outMsg, noCurrency);
      } else if (message.info.kind === "internal") {
        const [{ createdLt: lt }, hash] = [message.info, message.cell.hash()];
        this.#insert({ lt, hash, message, transaction: link(transaction), metadata, isOfQueue });
      }
    }
  }

  /** Messages are delivered by their logical time, then by hash. */
  #insert(message: NewMessage): void {
    const isAfter = (other: NewMessage): boolean =>
      other.lt === message.lt ? other.hash > message.hash : other.lt > message.lt;
    let [low, high] = [this.#delivered, this.#new.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAfter(this.#new[middle] as NewMessage)) high = middle;
      else low = middle + 1;
    }
    this.#new.splice(low, 0, message);
  }

  #firstMetadata(transaction: InCell<Transaction>): MessageMetadata | undefined {
    if (!this.#options.withMetadata) return undefined;
    const initiator = makeAddress(this.#options.workchain, transaction.account);
    return { depth: 0, initiator, initiatorLt: transaction.lt };
  }

  #nextMetadata(envelope: MessageEnvelope): MessageMetadata | undefined {
    if (!this.#options.withMetadata || envelope.kind === "v1" || envelope.metadata === undefined) return undefined;
    return { ...envelope.metadata, depth: envelope.metadata.depth + 1 };
  }

  #putIn(hash: Hash, inMsg: InMsg, fees: ImportFees): void {
    this.#in.set(hash, [hash, inMsg, fees]);
  }

  #putOut(hash: Hash, outMsg: OutMsg, value: CurrencyCollection): void {
    this.#out.set(hash, [hash, outMsg, value]);
  }
}

function link(transaction: InCell<Transaction>): Linked<Transaction> {
  return new Linked(transaction.cell, Transaction);
}
