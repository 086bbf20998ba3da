import { Cell } from "../../../cell/Cell.ts";
import { CellSlice } from "../CellSlice.ts";
import { findEntry, integerKey } from "../data/dictionary.ts";
import { Exception, fail, Pause } from "../exceptions.ts";
import { hexDigits, type Instruction, opcode, uint } from "../instruction.ts";
import { fitsSigned } from "../integers.ts";
import { maybeCell, tupleItem, tupleOf } from "../Stack.ts";
import type { StackValue, Tuple } from "../StackValue.ts";
import { sliceInt } from "../slices.ts";
import type { Vm } from "../Vm.ts";
import { refValue } from "./dictionary.ts";
import { extended } from "./tuple.ts";
import { loadVarInteger } from "./varInteger.ts";

/** The first item of c7: what code may know of its surroundings. */
export function contextOf(vm: Vm): Tuple {
  return tupleOf(tupleItem(vm.c7, 0));
}

export function parameterOf(vm: Vm, index: number): StackValue {
  return tupleItem(contextOf(vm), index);
}

/** Parts of the configuration that are unpacked for code: parameters 18 to 25 and 43. */
export function unpackedConfigOf(vm: Vm): Tuple {
  return tupleOf(parameterOf(vm, 14));
}

const pushParameter = (vm: Vm, index: number) => vm.stack.push(parameterOf(vm, index));

function named(code: string, name: string, index: number, since = 0): Instruction {
  return opcode(code, name, { since }, (vm) => pushParameter(vm, index));
}

/** From the third parameter on. */
const parameterNames = [
  ...["NOW", "BLOCKLT", "LTIME", "RANDSEED", "BALANCE", "MYADDR", "CONFIGROOT", "MYCODE"],
  ...["INCOMINGVALUE", "STORAGEFEES", "PREVBLOCKSINFOTUPLE", "UNPACKEDCONFIGTUPLE", "DUEPAYMENT"],
];

function configParameter(vm: Vm): Cell | undefined {
  const index = vm.stack.popInt();
  const root = maybeCell(parameterOf(vm, 9));
  return fitsSigned(index, 32) ? refValue(findEntry(vm, root, integerKey(index, 32), 32)) : undefined;
}

function previousBlock(code: string, name: string, since: number, index: number): Instruction {
  return opcode(code, name, { since }, (vm) => vm.stack.push(tupleItem(tupleOf(parameterOf(vm, 13)), index)));
}

const parameters: readonly Instruction[] = [
  opcode("F820-F822", ["GETPARAM", uint(4)], 0, pushParameter),
  ...parameterNames.map((name, i) => named(`F82${hexDigits(i + 3)}`, name, i + 3)),
  opcode("F830", "CONFIGDICT", 0, (vm) => pushParameter(vm, 9).push(32)),
  opcode("F832", "CONFIGPARAM", 1, (vm) => vm.stack.pushFound(configParameter(vm))),
  opcode("F833", "CONFIGOPTPARAM", 1, (vm) => vm.stack.pushMaybe(configParameter(vm))),
  previousBlock("F83400", "PREVMCBLOCKS", 4, 0),
  previousBlock("F83401", "PREVKEYBLOCK", 4, 1),
  previousBlock("F83402", "PREVMCBLOCKS_100", 9, 2),
  opcode("F835", "GLOBALID", { since: 4 }, globalId),
  named("F839", "GETPRECOMPILEDGAS", 16, 6),
  opcode("F88100-F88110", ["GETPARAMLONG", uint(8)], { since: 11 }, pushParameter),
  named("F88111", "INMSGPARAMS", 17, 11),
  opcode("F88112-F881FE", ["GETPARAMLONG", uint(8)], { since: 11 }, pushParameter),
];

function globalId(vm: Vm): void {
  const slice = vm.version >= 6 ? tupleItem(unpackedConfigOf(vm), 1) : globalIdParameter(vm);
  if (!(slice instanceof CellSlice)) fail(Exception.typeCheck);
  if (slice.bits < 32) fail(vm.version >= 6 ? Exception.cellUnderflow : Exception.unknown);
  vm.stack.push(sliceInt(slice, 32));
}

/** Before version 6 the machine looked for the configuration at an index that its context does not have. */
function globalIdParameter(vm: Vm): CellSlice {
  const root = parameterOf(vm, 19);
  if (!(root instanceof Cell)) fail(Exception.typeCheck);
  return vm.loadCell(refValue(findEntry(vm, root, integerKey(19, 32), 32)) ?? fail(Exception.unknown));
}

const messageParameterNames = [
  ...["INMSG_BOUNCE", "INMSG_BOUNCED", "INMSG_SRC", "INMSG_FWDFEE", "INMSG_LT", "INMSG_UTIME"],
  ...["INMSG_ORIGVALUE", "INMSG_VALUE", "INMSG_VALUEEXTRA", "INMSG_STATEINIT"],
];

function pushMessageParameter(vm: Vm, index: number): void {
  vm.stack.push(tupleItem(tupleOf(parameterOf(vm, 17), Number.POSITIVE_INFINITY), index));
}

const getGlobal = ({ stack, c7 }: Vm, index: number) => stack.pushMaybe(c7[index]);

function setGlobal(vm: Vm, index: number): void {
  const value = vm.stack.pop();
  if (index >= 255) fail(Exception.rangeCheck);
  vm.c7 = extended(vm, vm.c7, index, value) ?? [];
}

const globals: readonly Instruction[] = [
  opcode("F840", "GETGLOBVAR", 1, (vm) => getGlobal(vm, vm.stack.popSmall(254))),
  opcode("F841-F85F", ["GETGLOB", uint(5)], 0, getGlobal),
  opcode("F860", "SETGLOBVAR", 2, (vm) => setGlobal(vm, vm.stack.popSmall(254))),
  opcode("F861-F87F", ["SETGLOB", uint(5)], 1, setGlobal),
];

/** Calls that cost at most so much gas for loading cells. */
const cheapCalls = 5;
const cheapCallGas = 200;

function extraBalance(vm: Vm): void {
  const { stack } = vm;
  const id = stack.popSmall(0xffffffff);
  const root = maybeCell(tupleItem(tupleOf(parameterOf(vm, 7)), 1));
  vm.extraBalanceCalls++;
  if (vm.extraBalanceCalls <= cheapCalls) vm.cheapGas = cheapCallGas;
  try {
    const value = findEntry(vm, root, integerKey(id, 32), 32);
    stack.push(value === undefined ? 0 : loadVarInteger(value, 5, false).value);
  } catch (error) {
    if (error instanceof Pause) vm.extraBalanceCalls--;
    throw error;
  } finally {
    vm.cheapGas = undefined;
  }
}

export const c7Instructions: readonly Instruction[] = [...parameters, ...globals];

/** What code knows of the message that it received, and its extra currencies. */
export const messageParameterInstructions: readonly Instruction[] = [
  ...messageParameterNames.map((name, i) =>
    opcode(`F89${i}`, name, { since: 11 }, (vm) => pushMessageParameter(vm, i)),
  ),
  opcode("F89A-F89F", ["INMSGPARAM", uint(4)], { since: 11 }, pushMessageParameter),
  opcode("F880", "GETEXTRABALANCE", { since: 10 }, extraBalance),
];
