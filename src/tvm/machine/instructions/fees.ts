import { CellSlice } from "../CellSlice.ts";
import { type MsgPrices, readGasPrices, readMsgPrices, readStoragePrices } from "../data/prices.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, plain } from "../instruction.ts";
import { fromBig } from "../integers.ts";
import { tupleItem } from "../Stack.ts";
import type { Vm } from "../Vm.ts";
import { unpackedConfigOf } from "./c7.ts";

/** A part of the unpacked configuration that must be there. */
function configSlice(vm: Vm, index: number): CellSlice {
  const slice = tupleItem(unpackedConfigOf(vm), index);
  if (!(slice instanceof CellSlice)) fail(Exception.typeCheck);
  return slice;
}

const gasPrices = (vm: Vm, isMasterchain: boolean) => readGasPrices(configSlice(vm, isMasterchain ? 2 : 3));
const msgPrices = (vm: Vm, isMasterchain: boolean): MsgPrices => readMsgPrices(configSlice(vm, isMasterchain ? 4 : 5));

/** Divides by 2^16, up. */
export function ceil16(value: bigint): bigint {
  return (value + 0xffffn) >> 16n;
}

function fee(
  opcode: string,
  name: string,
  needs: number,
  compute: (vm: Vm, isMasterchain: boolean) => bigint,
): Instruction {
  return plain(
    opcode,
    name,
    (vm) => {
      if (vm.version >= 9) vm.stack.need(needs);
      vm.stack.pushInt(fromBig(compute(vm, vm.stack.popBool())));
    },
    6,
  );
}

/** What bits and cells of a message cost. */
function sizeFee({ bitPrice, cellPrice }: MsgPrices, bits: bigint, cells: bigint): bigint {
  return ceil16(bitPrice * bits + cellPrice * cells);
}

function storageFee(vm: Vm, isMasterchain: boolean): bigint {
  const { stack } = vm;
  const seconds = stack.popInt63();
  const bits = stack.popInt63();
  const cells = stack.popInt63();
  const slice = tupleItem(unpackedConfigOf(vm), 0);
  // Before any prices are in force storage is free.
  if (!(slice instanceof CellSlice)) return 0n;
  const prices = readStoragePrices(slice);
  const [bitPrice, cellPrice] = isMasterchain
    ? [prices.masterBitPrice, prices.masterCellPrice]
    : [prices.bitPrice, prices.cellPrice];
  return ceil16((cells * cellPrice + bits * bitPrice) * seconds);
}

export const feeInstructions: readonly Instruction[] = [
  fee("F836", "GETGASFEE", 2, (vm, isMasterchain) => {
    const gas = vm.stack.popInt63();
    const { price, flatLimit, flatPrice } = gasPrices(vm, isMasterchain);
    return gas <= flatLimit ? flatPrice : ceil16(price * (gas - flatLimit)) + flatPrice;
  }),
  fee("F837", "GETSTORAGEFEE", 4, storageFee),
  fee("F838", "GETFORWARDFEE", 3, (vm, isMasterchain) => {
    const bits = vm.stack.popInt63();
    const cells = vm.stack.popInt63();
    const prices = msgPrices(vm, isMasterchain);
    return prices.lumpPrice + sizeFee(prices, bits, cells);
  }),
  fee("F83A", "GETORIGINALFWDFEE", 2, (vm, isMasterchain) => {
    const given = vm.stack.popFinite();
    if (given < 0) fail(Exception.rangeCheck);
    return (BigInt(given) << 16n) / (0x10000n - msgPrices(vm, isMasterchain).firstFraction);
  }),
  fee("F83B", "GETGASFEESIMPLE", 2, (vm, isMasterchain) => {
    const gas = vm.stack.popInt63();
    return ceil16(gasPrices(vm, isMasterchain).price * gas);
  }),
  fee("F83C", "GETFORWARDFEESIMPLE", 3, (vm, isMasterchain) => {
    const bits = vm.stack.popInt63();
    const cells = vm.stack.popInt63();
    return sizeFee(msgPrices(vm, isMasterchain), bits, cells);
  }),
];
