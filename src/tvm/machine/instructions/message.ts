import { Cell } from "../../../cell/Cell.ts";
import { maxBits, maxRefs } from "../../../cell/CellKind.ts";
import { emptyBuilder } from "../CellBuilder.ts";
import { CellSlice } from "../CellSlice.ts";
import { findEntry } from "../data/dictionary.ts";
import { measureTree } from "../data/measureTree.ts";
import { type MsgPrices, readMaxMessageCells, readMsgPrices } from "../data/prices.ts";
import { type RelaxedMessageParts, readRelaxedMessage } from "../data/relaxedMessage.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, plain } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import { tupleItem, tupleOf } from "../Stack.ts";
import { sliceInt, sliceUint } from "../slices.ts";
import type { Vm } from "../Vm.ts";
import { addAction, sendTag } from "./actions.ts";
import { parameterOf, unpackedConfigOf } from "./c7.ts";
import { refValue } from "./dictionary.ts";
import { ceil16 } from "./fees.ts";

/** The workchain of an address of an account; bits that are not there read as the reference's mark for an error. */
function workchainOf(address: CellSlice): number {
  const bit = (at: number): number => (address.bits > at ? (sliceUint(address, 1, at) as number) : -1);
  if (bit(0) !== 1) fail(Exception.rangeCheck);
  const isVariable = bit(1) !== 0;
  let at = 3;
  if (bit(2) === 1 && address.bits >= 8) {
    const depth = sliceUint(address, 5, 3) as number;
    if (depth <= 30) at = Math.min(8 + depth, address.bits);
  }
  if (isVariable) at = Math.min(at + 9, address.bits);
  const width = isVariable ? 32 : 8;
  return address.bits >= at + width ? (sliceInt(address, width, at) as number) : 0;
}

function pricesFor(vm: Vm, isMasterchain: boolean): MsgPrices {
  if (vm.version >= 6) {
    const slice = tupleItem(unpackedConfigOf(vm), isMasterchain ? 4 : 5);
    return slice instanceof CellSlice ? readMsgPrices(slice) : fail(Exception.unknown);
  }
  const root = parameterOf(vm, 9);
  const key = emptyBuilder().withUint(isMasterchain ? 24 : 25, 32).bytes;
  const cell = root instanceof Cell ? refValue(findEntry(vm, root, key, 0, 32)) : undefined;
  return readMsgPrices(vm.loadCell(cell ?? fail(Exception.unknown)));
}

function maxCells(vm: Vm): number {
  if (vm.version < 6) return readMaxMessageCells(undefined);
  const slice = tupleItem(unpackedConfigOf(vm), 6);
  return readMaxMessageCells(slice instanceof CellSlice ? slice : undefined);
}

/** Balance (7) or value of the inbound message (11): coins, and whether there are extra currencies. */
function moneyOf(vm: Vm, index: number): { readonly coins: bigint; readonly hasExtra: boolean } {
  const money = tupleOf(parameterOf(vm, index), Number.POSITIVE_INFINITY);
  const coins = tupleItem(money, 0);
  if (typeof coins !== "number" && typeof coins !== "bigint") fail(Exception.typeCheck);
  return { coins: BigInt(coins), hasExtra: vm.version < 10 && tupleItem(money, 1) instanceof Cell };
}

/** What the message carries after the modes 128 (the whole balance) and 64 (the inbound value added). */
function carried(
  vm: Vm,
  message: RelaxedMessageParts,
  mode: number,
): { readonly value: bigint; readonly hasExtra: boolean } {
  const { value, hasExtra, isExternal } = message;
  if (isExternal || !(mode & 192)) return { value, hasExtra };
  const money = moneyOf(vm, mode & 128 ? 7 : 11);
  return { value: mode & 128 ? money.coins : value + money.coins, hasExtra: hasExtra || money.hasExtra };
}

interface Fees {
  readonly forward: bigint;
  readonly ihr: bigint;
}

/** Fees of a message of so many cells and bits; before version 14 at least what the message itself names. */
function feesOf(vm: Vm, prices: MsgPrices, message: RelaxedMessageParts, cells: bigint, bits: bigint): Fees {
  const isIhrDisabled = message.ihrDisabled || vm.version >= 11;
  const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
  let forward = BigInt.asUintN(64, prices.lumpPrice + ceil16(prices.bitPrice * bits + prices.cellPrice * cells));
  let ihr = isIhrDisabled ? 0n : BigInt.asUintN(64, (forward * prices.ihrFactor) >> 16n);
  if (vm.version < 14) {
    forward = max(forward, message.forwardFee ?? 0n);
    const named = vm.version >= 12 ? 0n : (message.extraFlagsValue ?? 0n);
    if (!isIhrDisabled) ihr = max(ihr, named);
  }
  return { forward, ihr };
}

function coinsBits(value: bigint): number {
  return 4 + (value === 0n ? 0 : ((value.toString(2).length + 7) >>> 3) * 8);
}

/** How the message will be written once it is complete. */
class Layout {
  readonly #vm: Vm;
  readonly #message: RelaxedMessageParts;
  readonly #prices: MsgPrices;
  readonly #source: CellSlice;
  readonly #money: { readonly value: bigint; readonly hasExtra: boolean };
  #cells: bigint;
  #bits: bigint;
  #initInRef: boolean;
  #bodyInRef: boolean;
  fees: Fees;

  constructor(
    vm: Vm,
    message: RelaxedMessageParts,
    prices: MsgPrices,
    source: CellSlice,
    money: { readonly value: bigint; readonly hasExtra: boolean },
    size: { readonly cells: number; readonly bits: number },
  ) {
    this.#vm = vm;
    this.#message = message;
    this.#prices = prices;
    this.#source = source;
    this.#money = money;
    this.#cells = BigInt(size.cells);
    this.#bits = BigInt(size.bits);
    this.#initInRef = this.#hasInit && sliceUint(message.init, 1, 1) === 1;
    this.#bodyInRef = sliceUint(message.body, 1) === 1;
    this.fees = feesOf(vm, prices, message, this.#cells, this.#bits);
  }

  get #hasInit(): boolean {
    return sliceUint(this.#message.init, 1) === 1;
  }

  #isTooLarge(): boolean {
    return this.#rootBits() > maxBits || this.#rootRefs() > maxRefs;
  }

  #rootBits(): number {
    const { init, body } = this.#message;
    const initBits = this.#hasInit ? 1 + (this.#initInRef ? 0 : init.bits - 2) : 0;
    return this.#infoBits() + 1 + initBits + 1 + (this.#bodyInRef ? 0 : body.bits - 1);
  }

  #infoBits(): number {
    const { isExternal, destination, extraFlags } = this.#message;
    const addresses = this.#source.bits + destination.bits;
    if (isExternal) return 2 + addresses + 32 + 64;
    const { forward, ihr } = this.fees;
    const rest = forward - ((forward * this.#prices.firstFraction) >> 16n);
    const flags = this.#vm.version >= 12 ? extraFlags.bits : coinsBits(ihr);
    return 4 + addresses + coinsBits(this.#money.value) + 1 + 32 + 64 + coinsBits(rest) + flags;
  }

  #rootRefs(): number {
    const { isExternal, init, body } = this.#message;
    const extra = !isExternal && this.#money.hasExtra ? 1 : 0;
    const initRefs = this.#hasInit ? (this.#initInRef ? 1 : init.refs) : 0;
    return extra + initRefs + (this.#bodyInRef ? 1 : body.refs);
  }

  /** Moves the initial state and then the body into a cell of its own while the root is too large. */
  settle(): this {
    const { init, body } = this.#message;
    if (this.#hasInit && !this.#initInRef && this.#isTooLarge()) {
      this.#initInRef = true;
      this.#grow(init.bits - 2);
    }
    if (!this.#bodyInRef && this.#isTooLarge()) {
      this.#bodyInRef = true;
      this.#grow(body.bits - 1);
    }
    return this;
  }

  #grow(bits: number): void {
    this.#cells += 1n;
    this.#bits += BigInt(bits);
    this.fees = feesOf(this.#vm, this.#prices, this.#message, this.#cells, this.#bits);
  }
}

const onlyFee = 1024;

function sendMessage(vm: Vm): void {
  const { stack } = vm;
  stack.need(2);
  const given = stack.popSmall(2047);
  const mode = given & ~onlyFee;
  if (mode >= 256) fail(Exception.rangeCheck);
  const cell = stack.popCell();
  const message = readRelaxedMessage(vm.loadCell(cell)) ?? fail(Exception.unknown);
  const source = parameterOf(vm, 8);
  if (!(source instanceof CellSlice)) fail(Exception.typeCheck);
  const isMasterchain = workchainOf(source) === -1 || (!message.isExternal && workchainOf(message.destination) === -1);
  const prices = pricesFor(vm, isMasterchain);
  const limit = maxCells(vm);
  const root = vm.loadCell(cell);
  const skipped = vm.version >= 10 && message.hasExtra ? 1 : 0;
  const size = measureTree(vm, root.without(root.bits, skipped), limit);
  const money = carried(vm, message, mode);
  const { forward, ihr } = new Layout(vm, message, prices, source, money, size).settle().fees;
  stack.push(fromBig(forward + ihr));
  if (given & onlyFee) return;
  addAction(vm, sendTag, (builder) => builder.withUint(mode, 8).withRef(cell));
}

export const messageInstructions: readonly Instruction[] = [plain("FB08", "SENDMSG", sendMessage, 4)];
