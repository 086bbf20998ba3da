import { blsOrder } from "../../../crypto/numbers.ts";
import { emptyBuilder } from "../../CellBuilder.ts";
import { cellSlice } from "../../CellSlice.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, opcode } from "../../instruction.ts";
import { sliceBytes, wholeBytes } from "../../slices.ts";
import { finishCell, type Vm } from "../../Vm.ts";

const g1Bytes = 48;
const g2Bytes = 96;

/** Most have their price before they look at the stack. */
function bls(code: string, name: string, need: number, run: (vm: Vm) => unknown): Instruction {
  return opcode(`F930${code}`, `BLS_${name}`, { need, since: 4 }, run);
}

const popPoint1 = ({ stack }: Vm): Uint8Array => sliceBytes(stack.popSlice(), g1Bytes);
const popPoint2 = ({ stack }: Vm): Uint8Array => sliceBytes(stack.popSlice(), g2Bytes);

/** Points are pushed as slices of cells that cost nothing. */
function pushPoint({ stack }: Vm, point: Uint8Array | undefined): void {
  if (point === undefined) fail(Exception.unknown);
  stack.push(cellSlice(finishCell(emptyBuilder().withBits(point, 0, point.length * 8))));
}

/** Pops this many times; the lowest comes first. */
function popMany<T>(count: number, pop: () => T): T[] {
  return Array.from({ length: count }, pop).reverse();
}

/** A count from the stack of items that have this many values each. */
const popCount = ({ stack }: Vm, size: number, least = 0): number =>
  stack.popSmall(Math.floor((stack.depth - 1) / size), least);

const signatures: readonly Instruction[] = [
  bls("00", "VERIFY", 3, (vm) => {
    vm.consume(61_000);
    const signature = popPoint2(vm);
    const message = wholeBytes(vm.stack.popSlice());
    vm.stack.pushBool(vm.compute("verifyBls", popPoint1(vm), message, signature));
  }),
  bls("01", "AGGREGATE", 0, (vm) => {
    const count = popCount(vm, 1, 1);
    vm.consume(4350 * count - 2650);
    const points = popMany(count, () => popPoint2(vm));
    pushPoint(vm, vm.compute("aggregateBls", points));
  }),
  bls("02", "FASTAGGREGATEVERIFY", 3, (vm) => {
    const signature = vm.stack.popSlice();
    const message = vm.stack.popSlice();
    const count = popCount(vm, 1);
    vm.consume(58_000 + 3000 * count);
    const keys = popMany(count, () => popPoint1(vm));
    const data = wholeBytes(message);
    vm.stack.pushBool(vm.compute("verifyFastAggregate", keys, data, sliceBytes(signature, g2Bytes)));
  }),
  bls("03", "AGGREGATEVERIFY", 2, (vm) => {
    const signature = vm.stack.popSlice();
    const count = popCount(vm, 2);
    vm.consume(38_500 + 22_500 * count);
    const signed = popMany(count, () => {
      const message = wholeBytes(vm.stack.popSlice());
      return { message, publicKey: popPoint1(vm) };
    });
    vm.stack.pushBool(vm.compute("verifyAggregate", signed, sliceBytes(signature, g2Bytes)));
  }),
];

interface GroupPrices {
  readonly add: number;
  readonly negate: number;
  readonly multiply: number;
  /** Of a sum of multiples: for itself, for each, and for each divided by the logarithm of their number. */
  readonly sum: readonly [base: number, each: number, divided: number];
  readonly map: number;
  readonly inGroup: number;
}

const prices1: GroupPrices = {
  ...{ add: 3900, negate: 750, multiply: 5200, map: 2350, inGroup: 2950 },
  sum: [11_375, 630, 8820],
};
const prices2: GroupPrices = {
  ...{ add: 6100, negate: 1550, multiply: 10_550, map: 7950, inGroup: 4250 },
  sum: [30_388, 1280, 22_840],
};

function sumPrice([base, each, divided]: GroupPrices["sum"], count: number): number {
  let log = 4;
  while (2 ** (log + 1) <= count) log++;
  return base + count * each + Math.floor((count * divided) / log);
}

function group(digit: string, name: "G1" | "G2", pop: (vm: Vm) => Uint8Array, price: GroupPrices): Instruction[] {
  const point = (code: string, title: string, need: number, cost: number, run: (vm: Vm) => Uint8Array | undefined) =>
    bls(`${digit}${code}`, title, need, (vm) => {
      vm.consume(cost);
      pushPoint(vm, run(vm));
    });
  const two = (vm: Vm, method: "add" | "subtract"): Uint8Array | undefined => {
    const b = pop(vm);
    return vm.compute(`${name}.${method}`, pop(vm), b);
  };
  return [
    point("0", `${name}_ADD`, 2, price.add, (vm) => two(vm, "add")),
    point("1", `${name}_SUB`, 2, price.add, (vm) => two(vm, "subtract")),
    point("2", `${name}_NEG`, 0, price.negate, (vm) => vm.compute(`${name}.negate`, pop(vm))),
    point("3", `${name}_MUL`, 2, price.multiply, (vm) => {
      const n = BigInt(vm.stack.popFinite());
      return vm.compute(`${name}.multiply`, pop(vm), n);
    }),
    bls(`${digit}4`, `${name}_MULTIEXP`, 0, (vm) => {
      const count = popCount(vm, 2);
      vm.consume(sumPrice(price.sum, count));
      const terms = popMany(count, () => {
        const n = BigInt(vm.stack.popFinite());
        return [pop(vm), n] as const;
      });
      pushPoint(vm, vm.compute(`${name}.sumOfMultiples`, terms));
    }),
    point("5", `${name}_ZERO`, 0, 0, (vm) => vm.compute(`${name}.zero`)),
    point("6", `MAP_TO_${name}`, 0, price.map, (vm) => vm.compute(`${name}.map`, pop(vm))),
    bls(`${digit}7`, `${name}_INGROUP`, 0, (vm) => {
      vm.consume(price.inGroup);
      vm.stack.pushBool(vm.compute(`${name}.isInGroup`, pop(vm)));
    }),
    bls(`${digit}8`, `${name}_ISZERO`, 1, (vm) => vm.stack.pushBool(vm.compute(`${name}.isZero`, pop(vm)))),
  ];
}

export const blsInstructions: readonly Instruction[] = [
  ...signatures,
  ...group("1", "G1", popPoint1, prices1),
  ...group("2", "G2", popPoint2, prices2),
  bls("30", "PAIRING", 0, (vm) => {
    const count = popCount(vm, 2);
    vm.consume(20_000 + 11_800 * count);
    const pairs = popMany(count, () => {
      const second = popPoint2(vm);
      return [popPoint1(vm), second] as const;
    });
    vm.stack.pushBool(vm.compute("isPairingOne", pairs) ?? fail(Exception.unknown));
  }),
  bls("31", "PUSHR", 0, ({ stack }) => stack.push(blsOrder)),
];
