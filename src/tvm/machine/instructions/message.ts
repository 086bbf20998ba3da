import { maxBits, maxRefs } from "../../../cell/base/CellKind.ts";
import { Cell } from "../../../cell/Cell.ts";
import { Slice } from "../../../cell/Slice.ts";
import { firstPart, forwardFee } from "../../../model/config/fees.ts";
import type { MsgForwardPrices } from "../../../model/config/prices.ts";
import { loadOutMessage, type OutMessage } from "../../../model/strict/OutMessage.ts";
import { findRead, loadShortestCoins, rootOnly, skipBody } from "../../../model/strict/schemes.ts";
import { CellSlice, machineSlice } from "../CellSlice.ts";
import { findEntry, integerKey } from "../data/dictionary.ts";
import { measureTree, type TreeSize } from "../data/measureTree.ts";
import { readMaxMessageCells, readMsgPrices } from "../data/prices.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import { tupleItem, tupleOf } from "../Stack.ts";
import { sliceInt, sliceUint } from "../slices.ts";
import type { Vm } from "../Vm.ts";
import { addAction, sendTag } from "./actions.ts";
import { parameterOf, unpackedConfigOf } from "./c7.ts";
import { refValue } from "./dictionary.ts";

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

function pricesFor(vm: Vm, isMasterchain: boolean): MsgForwardPrices {
  if (vm.version >= 6) {
    const slice = tupleItem(unpackedConfigOf(vm), isMasterchain ? 4 : 5);
    return slice instanceof CellSlice ? readMsgPrices(slice) : fail(Exception.unknown);
  }
  const root = parameterOf(vm, 9);
  const key = integerKey(isMasterchain ? 24 : 25, 32);
  const cell = root instanceof Cell ? refValue(findEntry(vm, root, key, 32)) : undefined;
  return readMsgPrices(vm.loadCell(cell ?? fail(Exception.unknown)));
}

function maxCells(vm: Vm): number {
  if (vm.version < 6) return readMaxMessageCells(undefined);
  const slice = tupleItem(unpackedConfigOf(vm), 6);
  return readMaxMessageCells(slice instanceof CellSlice ? slice : undefined);
}

interface Carried {
  readonly coins: bigint;
  readonly hasExtra: boolean;
}

/** A message of which the root follows the scheme; only its shape counts. */
function readMessage(cell: Cell): OutMessage & Carried {
  const read = (): OutMessage & Carried => {
    const message = loadOutMessage(new Slice(cell), rootOnly);
    const body = message.body.clone();
    skipBody(body, rootOnly);
    body.end();
    const value = message.value.clone();
    const coins = message.isExternal ? 0n : (loadShortestCoins(value) ?? fail(Exception.unknown));
    return { ...message, coins, hasExtra: value.remainingRefs > 0 };
  };
  return findRead(read) ?? fail(Exception.unknown);
}

/** Balance (7) or value of the inbound message (11). */
function moneyOf(vm: Vm, index: number): Carried {
  const money = tupleOf(parameterOf(vm, index), Number.POSITIVE_INFINITY);
  const coins = tupleItem(money, 0);
  if (typeof coins !== "number" && typeof coins !== "bigint") fail(Exception.typeCheck);
  return { coins: BigInt(coins), hasExtra: vm.version < 10 && tupleItem(money, 1) instanceof Cell };
}

/** What the message carries after the modes 128 (the whole balance) and 64 (the inbound value added). */
function carriedBy(vm: Vm, { coins, hasExtra, isExternal }: OutMessage & Carried, mode: number): Carried {
  if (isExternal || !(mode & 192)) return { coins, hasExtra };
  const money = moneyOf(vm, mode & 128 ? 7 : 11);
  return { coins: mode & 128 ? money.coins : coins + money.coins, hasExtra: hasExtra || money.hasExtra };
}

interface Fees {
  readonly forward: bigint;
  readonly ihr: bigint;
}

/** Fees of a message of this size; before version 14 at least what the message itself names. */
function feesOf(vm: Vm, prices: MsgForwardPrices, message: OutMessage, cells: number, bits: number): Fees {
  const isIhrDisabled = message.ihrDisabled || vm.version >= 11;
  const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
  const forward = BigInt.asUintN(64, forwardFee(prices, cells, bits));
  const ihr = isIhrDisabled ? 0n : BigInt.asUintN(64, (forward * BigInt(prices.ihrPriceFactor)) >> 16n);
  if (vm.version >= 14) return { forward, ihr };
  const named = vm.version >= 12 || isIhrDisabled ? 0n : (message.extraFlags ?? 0n);
  return { forward: max(forward, message.fwdFee ?? 0n), ihr: max(ihr, named) };
}

function coinsBits(value: bigint): number {
  return 4 + (value === 0n ? 0 : ((value.toString(2).length + 7) >>> 3) * 8);
}

function headBits(vm: Vm, message: OutMessage, money: Carried, prices: MsgForwardPrices, fees: Fees): number {
  if (message.isExternal) return 2 + message.dest.remainingBits + 32 + 64;
  const rest = fees.forward - firstPart(prices, fees.forward);
  const flags = vm.version >= 12 ? message.extraFlagsBits : coinsBits(fees.ihr);
  return 4 + message.dest.remainingBits + coinsBits(money.coins) + 1 + 32 + 64 + coinsBits(rest) + flags;
}

/**
 * Fees of the complete message: what does not fit into its root moves into cells of its own, the initial state first.
 */
function completeFees(
  vm: Vm,
  message: OutMessage,
  money: Carried,
  prices: MsgForwardPrices,
  source: CellSlice,
  size: TreeSize,
): Fees {
  const { init, body, isExternal } = message;
  const hasInit = init.preloadUint(1) === 1;
  let isInitApart = hasInit && (init.preloadUint(2) & 1) === 1;
  let isBodyApart = body.preloadUint(1) === 1;
  let { cells, bits } = size;
  let fees = feesOf(vm, prices, message, cells, bits);
  const isTooLarge = (): boolean => {
    const initBits = hasInit ? 1 + (isInitApart ? 0 : init.remainingBits - 2) : 0;
    const partBits = 2 + initBits + (isBodyApart ? 0 : body.remainingBits - 1);
    const partRefs = (isInitApart ? 1 : init.remainingRefs) + (isBodyApart ? 1 : body.remainingRefs);
    if (headBits(vm, message, money, prices, fees) + source.bits + partBits > maxBits) return true;
    return (!isExternal && money.hasExtra ? 1 : 0) + partRefs > maxRefs;
  };
  const addCell = (more: number): void => {
    cells += 1;
    bits += more;
    fees = feesOf(vm, prices, message, cells, bits);
  };
  if (hasInit && !isInitApart && isTooLarge()) {
    isInitApart = true;
    addCell(init.remainingBits - 2);
  }
  if (!isBodyApart && isTooLarge()) {
    isBodyApart = true;
    addCell(body.remainingBits - 1);
  }
  return fees;
}

const onlyFee = 1024;

function sendMessage(vm: Vm): void {
  const { stack } = vm;
  const given = stack.popSmall(2047);
  const mode = given & ~onlyFee;
  if (mode >= 256) fail(Exception.rangeCheck);
  const cell = stack.popCell();
  const message = readMessage(vm.loadCell(cell).cell);
  const source = parameterOf(vm, 8);
  if (!(source instanceof CellSlice)) fail(Exception.typeCheck);
  const isMasterchain =
    workchainOf(source) === -1 || (!message.isExternal && workchainOf(machineSlice(message.dest)) === -1);
  const prices = pricesFor(vm, isMasterchain);
  const limit = maxCells(vm);
  const root = vm.loadCell(cell);
  const skipped = vm.version >= 10 && message.hasExtra ? 1 : 0;
  measureTree(vm, root.without(root.bits, skipped), limit, (size) => {
    const money = carriedBy(vm, message, mode);
    const { forward, ihr } = completeFees(vm, message, money, prices, source, size);
    stack.push(fromBig(forward + ihr));
    if (!(given & onlyFee)) addAction(vm, sendTag, (builder) => builder.withUint(mode, 8).withRef(cell));
  });
}

export const messageInstructions: readonly Instruction[] = [
  opcode("FB08", "SENDMSG", { need: 2, since: 4 }, sendMessage),
];
