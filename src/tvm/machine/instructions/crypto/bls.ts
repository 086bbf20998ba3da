import { blsOrder } from "../../../crypto/blsGroups.ts";
import { emptyBuilder } from "../../CellBuilder.ts";
import { cellSlice } from "../../CellSlice.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, plain } from "../../instruction.ts";
import { sliceBytes, wholeBytes } from "../../slices.ts";
import { finishCell, type Vm } from "../../Vm.ts";

const g1Bytes = 48;
const g2Bytes = 96;

function bls(opcode: string, name: string, run: (vm: Vm) => void): Instruction {
  return plain(`F930${opcode}`, `BLS_${name}`, run, 4);
}

const popPoint1 = ({ stack }: Vm): Uint8Array => sliceBytes(stack.popSlice(), g1Bytes);
const popPoint2 = ({ stack }: Vm): Uint8Array => sliceBytes(stack.popSlice(), g2Bytes);

/** Points are pushed as slices of cells that cost nothing. */
function pushPoint({ stack }: Vm, point: Uint8Array | undefined): void {
  if (point === undefined) fail(Exception.unknown);
  stack.push(cellSlice(finishCell(emptyBuilder().withBits(point, 0, point.length * 8))));
}

/** Pops `count` times; the lowest comes first. */
function popMany<T>(count: number, pop: () => T): T[] {
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(pop());
  return items.reverse();
}

const signatures: readonly Instruction[] = [
  bls("00", "VERIFY", (vm) => {
    vm.stack.need(3);
    vm.consume(61_000);
    const signature = popPoint2(vm);
    const message = wholeBytes(vm.stack.popSlice());
    vm.stack.pushBool(vm.compute("verifyBls", popPoint1(vm), message, signature));
  }),
  bls("01", "AGGREGATE", (vm) => {
    const count = vm.stack.popSmall(vm.stack.depth - 1, 1);
    vm.consume(4350 * count - 2650);
    pushPoint(
      vm,
      vm.compute(
        "aggregateBls",
        popMany(count, () => popPoint2(vm)),
      ),
    );
  }),
  bls("02", "FASTAGGREGATEVERIFY", (vm) => {
    const { stack } = vm;
    stack.need(3);
    const signature = stack.popSlice();
    const message = stack.popSlice();
    const count = stack.popSmall(stack.depth - 1);
    vm.consume(58_000 + 3000 * count);
    const keys = popMany(count, () => popPoint1(vm));
    const data = wholeBytes(message);
    stack.pushBool(vm.compute("verifyFastAggregate", keys, data, sliceBytes(signature, g2Bytes)));
  }),
  bls("03", "AGGREGATEVERIFY", (vm) => {
    const { stack } = vm;
    stack.need(2);
    const signature = stack.popSlice();
    const count = stack.popSmall((stack.depth - 1) >> 1);
    vm.consume(38_500 + 22_500 * count);
    const signed = popMany(count, () => {
      const message = wholeBytes(stack.popSlice());
      return { message, publicKey: popPoint1(vm) };
    });
    stack.pushBool(vm.compute("verifyAggregate", signed, sliceBytes(signature, g2Bytes)));
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
  const two = (opcode: string, title: string, method: "add" | "subtract"): Instruction =>
    bls(`${digit}${opcode}`, `${name}_${title}`, (vm) => {
      vm.stack.need(2);
      vm.consume(price.add);
      const b = pop(vm);
      pushPoint(vm, vm.compute(`${name}.${method}`, pop(vm), b));
    });
  return [
    two("0", "ADD", "add"),
    two("1", "SUB", "subtract"),
    bls(`${digit}2`, `${name}_NEG`, (vm) => {
      vm.consume(price.negate);
      pushPoint(vm, vm.compute(`${name}.negate`, pop(vm)));
    }),
    bls(`${digit}3`, `${name}_MUL`, (vm) => {
      vm.stack.need(2);
      vm.consume(price.multiply);
      const n = BigInt(vm.stack.popFinite());
      pushPoint(vm, vm.compute(`${name}.multiply`, pop(vm), n));
    }),
    bls(`${digit}4`, `${name}_MULTIEXP`, (vm) => {
      const count = vm.stack.popSmall((vm.stack.depth - 1) >> 1);
      vm.consume(sumPrice(price.sum, count));
      const terms = popMany(count, () => {
        const n = BigInt(vm.stack.popFinite());
        return [pop(vm), n] as const;
      });
      pushPoint(vm, vm.compute(`${name}.sumOfMultiples`, terms));
    }),
    bls(`${digit}5`, `${name}_ZERO`, (vm) => pushPoint(vm, vm.compute(`${name}.zero`))),
    bls(`${digit}6`, `MAP_TO_${name}`, (vm) => {
      vm.consume(price.map);
      pushPoint(vm, vm.compute(`${name}.map`, pop(vm)));
    }),
    bls(`${digit}7`, `${name}_INGROUP`, (vm) => {
      vm.consume(price.inGroup);
      vm.stack.pushBool(vm.compute(`${name}.isInGroup`, pop(vm)));
    }),
    bls(`${digit}8`, `${name}_ISZERO`, (vm) => vm.stack.pushBool(vm.compute(`${name}.isZero`, pop(vm)))),
  ];
}

export const blsInstructions: readonly Instruction[] = [
  ...signatures,
  ...group("1", "G1", popPoint1, prices1),
  ...group("2", "G2", popPoint2, prices2),
  bls("30", "PAIRING", (vm) => {
    const count = vm.stack.popSmall((vm.stack.depth - 1) >> 1);
    vm.consume(20_000 + 11_800 * count);
    const pairs = popMany(count, () => {
      const second = popPoint2(vm);
      return [popPoint1(vm), second] as const;
    });
    vm.stack.pushBool(vm.compute("isPairingOne", pairs) ?? fail(Exception.unknown));
  }),
  bls("31", "PUSHR", ({ stack }) => stack.push(blsOrder)),
];
