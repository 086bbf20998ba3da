import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { CellCounter, maxMerkleDepth } from "../../model/CellCounter.ts";
import { firstPart, forwardFee } from "../../model/config/fees.ts";
import type { MsgForwardPrices } from "../../model/config/prices.ts";
import { addMoney, findPositiveExtra, type Money, noMoney, subtractExtra, withCoins } from "../../model/Money.ts";
import { hasValidLibraries, loadOutMessage, type OutMessage } from "../../model/strict/OutMessage.ts";
import { cellBudget, follows, skipStrictCurrencies } from "../../model/strict/schemes.ts";
import { TvmError } from "../errors.ts";
import { findDestination, findSource } from "./addresses.ts";
import { type Actions, type Draft, messageMoney, ResultCode } from "./Draft.ts";
import { findSentMessage, type SentFields, withBodyApart, withInitApart } from "./sentMessage.ts";

const { invalid, badSource, badDestination, noFunds, noExtraFunds, doesNotFit, tooLarge } = ResultCode;
const { tooManyCurrencies, badFlags, tooMuchOutput } = ResultCode;

/** Bits of the mode. */
const paysFees = 1;
const skipsErrors = 2;
const deletes = 32;
const takesMessage = 64;
const takesAll = 128;

/** 0, or the result code with which the phase fails; "retry" when the message does not fit into a cell in this form. */
type Result = number | "retry";

/** Sends a message: 0 when it is sent or skipped, otherwise the result code with which the phase fails. */
export function* sendMessage(draft: Draft, actions: Actions, mode: number, cell: Cell): Steps<number> {
  for (const layout of [0, 1, 2]) {
    const sending = new Sending(draft, actions, mode);
    const sent = sending.prepare(cell, layout);
    if (typeof sent === "number") return sent;
    let isWhole = true;
    for (let i = 0; isWhole && i < sent.roots.length; i++) isWhole = yield* sent.size.addInSteps(sent.roots[i] as Cell);
    const result = sending.send(sent, isWhole);
    if (result !== "retry") return result;
  }
  return invalid;
}

class Sending {
  readonly #draft: Draft;
  readonly #actions: Actions;
  #mode: number;
  #fine = 0n;

  constructor(draft: Draft, actions: Actions, mode: number) {
    this.#draft = draft;
    this.#actions = actions;
    this.#mode = mode;
  }

  /** Lays the message out as asked for (0), with its state apart (1), or with state and body apart (2). */
  prepare(cell: Cell, layout: number): Sent | number {
    const { version } = this.#draft.rules;
    this.#mode = this.#actions.takeBounceMode(this.#mode, version);
    if (!isModeKnown(this.#mode)) return version >= 13 ? this.#fail(invalid) : invalid;
    const outMessage = loadOutMessage(sliceOf(cell));
    if (!hasValidLibraries(outMessage)) return version >= 13 ? this.#fail(invalid) : invalid;
    const isInitApart = layout >= 1 && outMessage.init.remainingRefs >= 2;
    const isLast = layout === 2 || (layout === 1 && !isInitApart);
    const moved = isInitApart ? withInitApart(outMessage) : outMessage;
    const message = isLast ? withBodyApart(moved) : moved;
    return this.#check(message) ?? this.#prepareChecked(message, isLast);
  }

  /** What does not depend on money. */
  #check(message: OutMessage): number | undefined {
    const { version } = this.#draft.rules;
    if (message.isExternal) return (this.#mode & ~(paysFees | skipsErrors)) === 0 ? undefined : invalid;
    if (!follows(() => skipStrictCurrencies(message.value.clone(), cellBudget()))) return invalid;
    if (version < 8 && (message.fwdFee === undefined || message.extraFlags === undefined)) return invalid;
    if (version >= 12 && (message.extraFlags === undefined || message.extraFlags > 3n)) return this.#fail(badFlags);
    return undefined;
  }

  #prepareChecked(message: OutMessage, isLast: boolean): Sent | number {
    const { rules, account } = this.#draft;
    const { version, limits } = rules;
    const src = findSource(this.#draft, message.src);
    if (src === undefined) return version >= 13 ? this.#fail(badSource) : badSource;
    const dest = findDestination(this.#draft, message.dest, version >= 10 ? "refused" : "allowed");
    if (dest === undefined) return this.#fail(badDestination);
    let value = message.isExternal ? noMoney : loadValue(message.value);
    if (version >= 10) {
      const positive = findPositiveExtra(value.extra, limits.maxMessageExtraCurrencies);
      if (positive === undefined) return this.#fail(tooManyCurrencies);
      value = { coins: value.coins, ...positive };
    }
    const isMaster = dest.isMasterchain || account.isMasterchain;
    const prices = isMaster ? rules.forward.masterchain : rules.forward.basechain;
    const finePerCell = version >= 4 && !account.isSpecial ? (prices.cellPrice >> 16n) / 4n : 0n;
    const maxCells = this.#maxCells(message, value, finePerCell);
    if (maxCells === undefined) return this.#fail(noFunds);
    const roots: Cell[] = [];
    for (const part of [message.init, message.body])
      for (let i = 0; i < part.remainingRefs; i++) roots.push(part.preloadRef(i));
    if (version < 10 && value.extra !== undefined) roots.push(value.extra);
    const size = new CellCounter(maxCells);
    return { message, src, dest: dest.address, value, size, prices, isLast, roots, finePerCell, maxCells };
  }

  /** No more cells are counted than the account could pay a fine for; `undefined` when it has nothing. */
  #maxCells(message: OutMessage, value: Money, finePerCell: bigint): number | undefined {
    const { rules, account } = this.#draft;
    const { maxMessageCells } = rules.limits;
    if (rules.version < 4 || account.isSpecial) return maxMessageCells;
    const funds = this.#funds(message, value);
    if (funds < 0n) return undefined;
    return funds < BigInt(maxMessageCells) * finePerCell ? Number(funds / finePerCell) : maxMessageCells;
  }

  /** Sends the message when its cells are counted, or as many of them as the limit allows. */
  send(sent: Sent, isWhole: boolean): Result {
    const { message, size, finePerCell, maxCells } = sent;
    this.#fine = finePerCell * BigInt(Math.min(maxCells, size.cells));
    if (!isWhole || size.bits > this.#draft.rules.limits.maxMessageBits || size.merkleDepth > maxMerkleDepth)
      return this.#failWithFine(tooLarge);
    return message.isExternal ? this.#sendOut(message, sent) : this.#sendInternal(message, sent);
  }

  /** What the sender has for a fine: of its balance, what the message may take. */
  #funds({ isExternal }: OutMessage, value: Money): bigint {
    const available = this.#actions.remaining.coins;
    if (isExternal || (this.#mode & (takesAll | paysFees)) !== 0) return available;
    const own = (this.#mode & takesMessage) === 0 ? value.coins : value.coins + this.#leftOfMessage();
    return own < available ? own : available;
  }

  /** What is left of the inbound message behind what it paid for. */
  #leftOfMessage(): bigint {
    const { compute } = this.#draft;
    const gasFees = compute?.kind === "vm" ? compute.gasFees : 0n;
    return messageMoney(this.#draft).coins - gasFees - this.#actions.fine;
  }

  #sendInternal(message: OutMessage, sent: Sent): Result {
    const { version } = this.#draft.rules;
    const actions = this.#actions;
    const ihrDisabled = message.ihrDisabled || version >= 11;
    const fees = this.#fees(message, sent, ihrDisabled);
    const required = this.#required(sent.value);
    if (required === undefined) return this.#failWithFine(noFunds);
    const total = fees.fwd + fees.ihr;
    const paysApart = (this.#mode & paysFees) !== 0;
    if (!paysApart && required.coins < total) return this.#failWithFine(noFunds);
    const spent = paysApart ? required.coins + total : required.coins;
    if (actions.remaining.coins < spent) return this.#failWithFine(noFunds);
    const extra = subtractExtra(actions.remaining.extra, required.extra);
    if (extra === "short") return this.#failWithFine(noExtraFunds);
    const mine = firstPart(sent.prices, fees.fwd);
    const value = paysApart ? required : withCoins(required, required.coins - total);
    const extraFlags = version >= 12 ? (message.extraFlags ?? 0n) : fees.ihr;
    const fields = { ihrDisabled, value, extraFlags, fwdFee: fees.fwd - mine };
    return this.#pack(message, sent, fields, { coins: actions.remaining.coins - spent, extra }, mine, total);
  }

  #sendOut(message: OutMessage, sent: Sent): Result {
    const { remaining } = this.#actions;
    const { fwd } = this.#fees(message, sent, true);
    if (remaining.coins < fwd) return this.#failWithFine(noFunds);
    const fields = { ihrDisabled: true, value: noMoney, extraFlags: 0n, fwdFee: 0n };
    return this.#pack(message, sent, fields, withCoins(remaining, remaining.coins - fwd), fwd, fwd);
  }

  /** Fees of a message; until version 7 the sender may give more than they are. */
  #fees(message: OutMessage, { size, prices }: Sent, ihrDisabled: boolean): { fwd: bigint; ihr: bigint } {
    const { version } = this.#draft.rules;
    const { isSpecial } = this.#draft.account;
    const least = isSpecial ? 0n : forwardFee(prices, size.cells, size.bits);
    const leastIhr = ihrDisabled ? 0n : (least * BigInt(prices.ihrPriceFactor)) >> 16n;
    const given = version < 8 && !message.isExternal;
    const fwd = given ? larger(message.fwdFee ?? 0n, least) : least;
    if (ihrDisabled) return { fwd, ihr: 0n };
    return { fwd, ihr: given ? larger(message.extraFlags ?? 0n, leastIhr) : leastIhr };
  }

  /** What the message takes along, fees still in it; `undefined` when the inbound message has nothing left. */
  #required(value: Money): Money | undefined {
    const isNew = this.#draft.rules.version >= 10;
    const { remaining } = this.#actions;
    if ((this.#mode & takesAll) !== 0) {
      this.#mode &= ~paysFees;
      return isNew ? withCoins(value, remaining.coins) : remaining;
    }
    if ((this.#mode & takesMessage) === 0) return value;
    if (this.#draft.messageBalance === undefined) {
      if (!isNew && (this.#mode & paysFees) === 0) return undefined;
      throw new TvmError("tvm/undefined", "a message carries the rest of an inbound message that does not exist");
    }
    const left = (this.#mode & paysFees) !== 0 ? messageMoney(this.#draft).coins : this.#leftOfMessage();
    const coins = value.coins + left;
    const { extra } = isNew ? value : addMoney(value, messageMoney(this.#draft));
    return coins < 0n ? undefined : { coins, extra };
  }

  /** Writes the message and takes it to the others, unless it does not fit. */
  #pack(
    message: OutMessage,
    { src, dest, size, isLast }: Sent,
    fields: Omit<SentFields, "src" | "dest" | "createdLt" | "createdAt">,
    remaining: Money,
    collected: bigint,
    total: bigint,
  ): Result {
    const actions = this.#actions;
    const { version } = this.#draft.rules;
    const { ihrDisabled, value, extraFlags, fwdFee } = fields;
    const [createdLt, createdAt] = [actions.endLt, this.#draft.now];
    const sent = { src, dest, ihrDisabled, value, extraFlags, fwdFee, createdLt, createdAt };
    const cell = findSentMessage(message, sent);
    if (cell === undefined) return isLast ? this.#failWithFine(doesNotFit) : "retry";
    if (this.#exceedsOutput(size, cell)) return this.#failWithFine(tooMuchOutput);
    if ((this.#mode & (takesAll | takesMessage)) !== 0) this.#clearMessageBalance();
    actions.remaining = remaining;
    actions.messages.push(cell);
    actions.endLt += 1n;
    actions.actionFees += collected;
    actions.fwdFees += total;
    const { reserved } = actions;
    if ((this.#mode & (takesAll | deletes)) === (takesAll | deletes))
      actions.deleteRequested = reserved.coins === 0n && (version >= 10 || reserved.extra === undefined);
    actions.messageBits += size.bits + cell.bitLength;
    actions.messageCells += size.cells + 1;
    if (version >= 15) actions.fineOnFail += this.#fine;
    return 0;
  }

  /** Since version 15 all messages of a transaction together have a limit. */
  #exceedsOutput(size: CellCounter, cell: Cell): boolean {
    const { version, limits } = this.#draft.rules;
    if (version < 15) return false;
    const { messageBits, messageCells } = this.#actions;
    if (messageBits + size.bits + cell.bitLength > limits.maxTotalMessageBits) return true;
    return messageCells + size.cells + 1 > limits.maxTotalMessageCells;
  }

  /**
   * What was taken cannot be taken again; after that, tick and tock have the rest of a message too, and it is nothing.
   */
  #clearMessageBalance(): void {
    this.#draft.messageBalance = this.#draft.rules.version >= 10 ? withCoins(messageMoney(this.#draft), 0n) : noMoney;
  }

  #failWithFine(code: number): number {
    const { remaining } = this.#actions;
    const fine = this.#fine < remaining.coins ? this.#fine : remaining.coins;
    this.#actions.fine += fine;
    this.#actions.remaining = withCoins(remaining, remaining.coins - fine);
    return this.#fail(code);
  }

  /** A message whose mode says so is skipped where it would fail. */
  #fail(code: number): number {
    if ((this.#mode & skipsErrors) === 0) return code;
    if (this.#draft.rules.version >= 8) this.#actions.skippedActions++;
    return 0;
  }
}

interface Sent {
  readonly src: Slice;
  readonly dest: Slice;
  readonly value: Money;
  readonly size: CellCounter;
  readonly prices: MsgForwardPrices;
  /** Whether there is no other layout to try. */
  readonly isLast: boolean;
  readonly message: OutMessage;
  readonly roots: readonly Cell[];
  readonly finePerCell: bigint;
  readonly maxCells: number;
}

function isModeKnown(mode: number): boolean {
  const all = paysFees | skipsErrors | deletes | takesMessage | takesAll;
  return (mode & ~all) === 0 && (mode & (takesMessage | takesAll)) !== (takesMessage | takesAll);
}

function loadValue(value: Slice): Money {
  const slice = value.clone();
  return { coins: slice.loadCoins(), extra: slice.loadMaybeRef() };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
