import { Cell } from "../../../cell/Cell.ts";
import { emptyBuilder } from "../CellBuilder.ts";
import { CellSlice } from "../CellSlice.ts";
import { findEntry } from "../data/dictionary.ts";
import { Exception, fail, LibraryNeeded } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { fitsSigned } from "../integers.ts";
import { tupleItem, tupleOf } from "../Stack.ts";
import type { StackValue, Tuple } from "../StackValue.ts";
import { appendInteger, sliceInt } from "../slices.ts";
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

function pushParameter(vm: Vm, index: number): void {
  vm.stack.push(parameterOf(vm, index));
}

function named(opcode: string, name: string, index: number, since = 0): Instruction {
  return plain(opcode, name, (vm) => pushParameter(vm, index), since);
}

const parameterNames = [
  ["NOW", 3],
  ["BLOCKLT", 4],
  ["LTIME", 5],
  ["RANDSEED", 6],
  ["BALANCE", 7],
  ["MYADDR", 8],
  ["CONFIGROOT", 9],
  ["MYCODE", 10],
  ["INCOMINGVALUE", 11],
  ["STORAGEFEES", 12],
  ["PREVBLOCKSINFOTUPLE", 13],
  ["UNPACKEDCONFIGTUPLE", 14],
  ["DUEPAYMENT", 15],
] as const;

/** A parameter of the configuration by its number from the stack. */
function configParameter(vm: Vm): Cell | undefined {
  const index = vm.stack.popInt();
  const root = parameterOf(vm, 9);
  if (root !== null && !(root instanceof Cell)) fail(Exception.typeCheck);
  if (!fitsSigned(index, 32)) return undefined;
  return refValue(findEntry(vm, root ?? undefined, appendInteger(emptyBuilder(), index, 32).bytes, 0, 32));
}

const parameters: readonly Instruction[] = [
  instruction({ name: "GETPARAM", opcode: "F820-F822", args: [uint(4)], run: pushParameter }),
  ...parameterNames.map(([name, index]) => named(`F82${index.toString(16).toUpperCase()}`, name, index)),
  plain("F830", "CONFIGDICT", (vm) => {
    pushParameter(vm, 9);
    vm.stack.push(32);
  }),
  plain("F832", "CONFIGPARAM", (vm) => {
    const cell = configParameter(vm);
    if (cell !== undefined) vm.stack.push(cell);
    vm.stack.pushBool(cell !== undefined);
  }),
  plain("F833", "CONFIGOPTPARAM", (vm) => vm.stack.pushMaybe(configParameter(vm))),
  ...[4, 4, 9].map((since, index) =>
    plain(
      `F8340${index}`,
      ["PREVMCBLOCKS", "PREVKEYBLOCK", "PREVMCBLOCKS_100"][index] as string,
      (vm) => vm.stack.push(tupleItem(tupleOf(parameterOf(vm, 13)), index)),
      since,
    ),
  ),
  plain("F835", "GLOBALID", globalId, 4),
  named("F839", "GETPRECOMPILEDGAS", 16, 6),
  instruction({ name: "GETPARAMLONG", opcode: "F88100-F88110", args: [uint(8)], since: 11, run: pushParameter }),
  named("F88111", "INMSGPARAMS", 17, 11),
  instruction({ name: "GETPARAMLONG", opcode: "F88112-F881FE", args: [uint(8)], since: 11, run: pushParameter }),
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
  const cell = refValue(findEntry(vm, root, emptyBuilder().withUint(19, 32).bytes, 0, 32)) ?? fail(Exception.unknown);
  return vm.loadCell(cell);
}

const messageParameterNames = [
  ...["INMSG_BOUNCE", "INMSG_BOUNCED", "INMSG_SRC", "INMSG_FWDFEE", "INMSG_LT", "INMSG_UTIME"],
  ...["INMSG_ORIGVALUE", "INMSG_VALUE", "INMSG_VALUEEXTRA", "INMSG_STATEINIT"],
];

function pushMessageParameter(vm: Vm, index: number): void {
  vm.stack.push(tupleItem(tupleOf(parameterOf(vm, 17), Number.POSITIVE_INFINITY), index));
}

const messageParameters: readonly Instruction[] = [
  ...messageParameterNames.map((name, i) => plain(`F89${i}`, name, (vm) => pushMessageParameter(vm, i), 11)),
  instruction({ name: "INMSGPARAM", opcode: "F89A-F89F", args: [uint(4)], since: 11, run: pushMessageParameter }),
];

function getGlobal({ stack, c7 }: Vm, index: number): void {
  stack.push(c7[index] ?? null);
}

function setGlobal(vm: Vm, index: number): void {
  const value = vm.stack.pop();
  if (index >= 255) fail(Exception.rangeCheck);
  vm.c7 = extended(vm, vm.c7, index, value) ?? [];
}

const globals: readonly Instruction[] = [
  plain("F840", "GETGLOBVAR", (vm) => getGlobal(vm, vm.stack.popSmall(254))),
  instruction({ name: "GETGLOB", opcode: "F841-F85F", args: [uint(5)], run: getGlobal }),
  plain("F860", "SETGLOBVAR", (vm) => {
    vm.stack.need(2);
    setGlobal(vm, vm.stack.popSmall(254));
  }),
  instruction({ name: "SETGLOB", opcode: "F861-F87F", args: [uint(5)], run: setGlobal }),
];

/** Calls that cost at most so much gas for loading cells. */
const cheapCalls = 5;
const cheapCallGas = 200;

/** An amount of the balance in an extra currency. */
function extraBalance(vm: Vm): void {
  const { stack } = vm;
  const id = stack.popSmall(0xffffffff);
  const root = tupleItem(tupleOf(parameterOf(vm, 7)), 1);
  if (root !== null && !(root instanceof Cell)) fail(Exception.typeCheck);
  vm.extraBalanceCalls++;
  if (vm.extraBalanceCalls <= cheapCalls) vm.cheapGas = cheapCallGas;
  try {
    const value = findEntry(vm, root ?? undefined, emptyBuilder().withUint(id, 32).bytes, 0, 32);
    stack.push(value === undefined ? 0 : loadVarInteger(value, 5, false).value);
  } catch (error) {
    if (error instanceof LibraryNeeded) vm.extraBalanceCalls--;
    throw error;
  } finally {
    vm.cheapGas = undefined;
  }
}

export const c7Instructions: readonly Instruction[] = [
  ...parameters,
  ...messageParameters,
  ...globals,
  plain("F880", "GETEXTRABALANCE", extraBalance, 10),
];
