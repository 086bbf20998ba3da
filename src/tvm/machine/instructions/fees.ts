import { forwardFee, gasFee, roundUp, sizeFee } from "../../../model/config/fees.ts";
import { CellSlice } from "../CellSlice.ts";
import { readGasPrices, readMsgPrices, readStoragePrices } from "../data/prices.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import { tupleItem } from "../Stack.ts";
import type { Vm } from "../Vm.ts";
import { unpackedConfigOf } from "./c7.ts";

function configSlice(vm: Vm, index: number): CellSlice {
  const slice = tupleItem(unpackedConfigOf(vm), index);
  return slice instanceof CellSlice ? slice : fail(Exception.typeCheck);
}

const gasPrices = (vm: Vm, isMasterchain: boolean) => readGasPrices(configSlice(vm, isMasterchain ? 2 : 3));
const msgPrices = (vm: Vm, isMasterchain: boolean) => readMsgPrices(configSlice(vm, isMasterchain ? 4 : 5));
type Compute = (vm: Vm, isMasterchain: boolean) => bigint;

function fee(code: string, name: string, need: number, compute: Compute): Instruction {
  return opcode(code, name, { since: 6 }, (vm) => {
    if (vm.version >= 9) vm.stack.need(need);
    vm.stack.pushInt(fromBig(compute(vm, vm.stack.popBool())));
  });
}

function storageFee(vm: Vm, isMasterchain: boolean): bigint {
  const seconds = vm.stack.popInt63();
  const bits = vm.stack.popInt63();
  const cells = vm.stack.popInt63();
  const slice = tupleItem(unpackedConfigOf(vm), 0);
  // Before any prices are in force storage is free.
  if (!(slice instanceof CellSlice)) return 0n;
  const prices = readStoragePrices(slice);
  const [bitPrice, cellPrice] = isMasterchain
    ? [prices.mcBitPrice, prices.mcCellPrice]
    : [prices.bitPrice, prices.cellPrice];
  return roundUp((cells * cellPrice + bits * bitPrice) * seconds);
}

const messageFee =
  (compute: typeof sizeFee): Compute =>
  (vm, isMasterchain) => {
    const bits = vm.stack.popInt63();
    const cells = vm.stack.popInt63();
    return compute(msgPrices(vm, isMasterchain), cells, bits);
  };

export const feeInstructions: readonly Instruction[] = [
  fee("F836", "GETGASFEE", 2, (vm, isMasterchain) => {
    const gas = vm.stack.popInt63();
    return gasFee(gasPrices(vm, isMasterchain), gas);
  }),
  fee("F837", "GETSTORAGEFEE", 4, storageFee),
  fee("F838", "GETFORWARDFEE", 3, messageFee(forwardFee)),
  fee("F83A", "GETORIGINALFWDFEE", 2, (vm, isMasterchain) => {
    const integer = vm.stack.popFinite();
    if (integer < 0) fail(Exception.rangeCheck);
    return (BigInt(integer) << 16n) / (0x10000n - BigInt(msgPrices(vm, isMasterchain).firstFrac));
  }),
  fee("F83B", "GETGASFEESIMPLE", 2, (vm, isMasterchain) => {
    const gas = vm.stack.popInt63();
    return roundUp(gasPrices(vm, isMasterchain).gasPrice * gas);
  }),
  fee("F83C", "GETFORWARDFEESIMPLE", 3, messageFee(sizeFee)),
];
