import type { Cell } from "../../../cell/Cell.ts";
import { call, jump, ret, retAlt, takeCurrent, withData } from "../control.ts";
import { Exception, fail } from "../exceptions.ts";
import { type Instruction, instruction, plain, uint } from "../instruction.ts";
import { Continuation, type Integer, type SpecialStep } from "../StackValue.ts";
import { refTail, twoRefsTail } from "../tails.ts";
import { typeNumber } from "../typeNumber.ts";
import { codeContinuation, type Vm } from "../Vm.ts";

type Transfer = (vm: Vm, target: Continuation) => void;

function conditional(opcode: string, name: string, wanted: boolean, transfer: Transfer): Instruction {
  return plain(opcode, name, (vm) => {
    vm.stack.need(2);
    const target = vm.stack.popContinuation();
    if (vm.stack.popBool() === wanted) transfer(vm, target);
  });
}

function conditionalReturn(opcode: string, name: string, wanted: boolean, transfer: (vm: Vm) => void): Instruction {
  return plain(opcode, name, (vm) => {
    if (vm.stack.popBool() === wanted) transfer(vm);
  });
}

function conditionalRef(opcode: string, name: string, wanted: boolean, transfer: Transfer): Instruction {
  return instruction({
    ...{ name, opcode, tail: refTail },
    run(vm, _a, _b, _c, cell: Cell) {
      if (vm.stack.popBool() === wanted) transfer(vm, codeContinuation(vm.loadCell(cell)));
    },
  });
}

/** One branch is on the stack, the other one is the next reference. */
function elseRef(opcode: string, name: string, wanted: boolean): Instruction {
  return instruction({
    ...{ name, opcode, tail: refTail },
    run(vm, _a, _b, _c, cell: Cell) {
      vm.stack.need(2);
      const other = vm.stack.popContinuation();
      call(vm, vm.stack.popBool() === wanted ? codeContinuation(vm.loadCell(cell)) : other);
    },
  });
}

function hasBit(x: Integer, bit: number): boolean {
  return ((BigInt(x) >> BigInt(bit)) & 1n) === 1n;
}

const bit = uint(5);

/** A jump by a bit of an integer, which stays on the stack. */
function bitJump(opcode: string, name: string, wanted: boolean): Instruction {
  return instruction({
    ...{ name, opcode, args: [bit] },
    run(vm, index) {
      const { stack } = vm;
      stack.need(2);
      const target = stack.popContinuation();
      const x = stack.popFinite();
      stack.push(x);
      if (hasBit(x, index) === wanted) jump(vm, target);
    },
  });
}

function bitJumpRef(opcode: string, name: string, wanted: boolean): Instruction {
  return instruction({
    ...{ name, opcode, args: [{ ...bit, show: () => "" }], tail: refTail },
    run(vm, index, _b, _c, cell: Cell) {
      const x = vm.stack.popFinite();
      vm.stack.push(x);
      if (hasBit(x, index) === wanted) jump(vm, codeContinuation(vm.loadCell(cell)));
    },
  });
}

const branches: readonly Instruction[] = [
  conditionalReturn("DC", "IFRET", true, ret),
  conditionalReturn("DD", "IFNOTRET", false, ret),
  conditional("DE", "IF", true, call),
  conditional("DF", "IFNOT", false, call),
  conditional("E0", "IFJMP", true, jump),
  conditional("E1", "IFNOTJMP", false, jump),
  plain("E2", "IFELSE", (vm) => {
    vm.stack.need(3);
    const otherwise = vm.stack.popContinuation();
    const then = vm.stack.popContinuation();
    call(vm, vm.stack.popBool() ? then : otherwise);
  }),
  conditionalRef("E300", "IFREF", true, call),
  conditionalRef("E301", "IFNOTREF", false, call),
  conditionalRef("E302", "IFJMPREF", true, jump),
  conditionalRef("E303", "IFNOTJMPREF", false, jump),
  plain("E304", "CONDSEL", ({ stack }) => {
    stack.need(3);
    const y = stack.pop();
    const x = stack.pop();
    stack.push(stack.popBool() ? x : y);
  }),
  plain("E305", "CONDSELCHK", ({ stack }) => {
    stack.need(3);
    const y = stack.pop();
    const x = stack.pop();
    if (typeNumber(x) !== typeNumber(y)) fail(Exception.typeCheck);
    stack.push(stack.popBool() ? x : y);
  }),
  conditionalReturn("E308", "IFRETALT", true, retAlt),
  conditionalReturn("E309", "IFNOTRETALT", false, retAlt),
  elseRef("E30D", "IFREFELSE", true),
  elseRef("E30E", "IFELSEREF", false),
  instruction({
    ...{ name: "IFREFELSEREF", opcode: "E30F", tail: twoRefsTail },
    run(vm, _a, _b, _c, [then, otherwise]) {
      call(vm, codeContinuation(vm.loadCell(vm.stack.popBool() ? then : otherwise)));
    },
  }),
  bitJump("E380-E39F", "IFBITJMP", true),
  bitJump("E3A0-E3BF", "IFNBITJMP", false),
  bitJumpRef("E3C0-E3DF", "IFBITJMPREF", true),
  bitJumpRef("E3E0-E3FF", "IFNBITJMPREF", false),
];

/** Makes a continuation the one that c1 leads to, with the present c0 and c1 unless it has its own. */
function asBreak(vm: Vm, target: Continuation): Continuation {
  const { c0, c1 } = vm;
  const result = withData(target, (data) => ({ ...data, c0: data.c0 ?? c0, c1: data.c1 ?? c1 }));
  vm.c1 = result;
  return result;
}

/** Where a loop goes when it is done: behind itself, or to c0 when its body is the rest of the code. */
function after(vm: Vm, isEnd: boolean, breaks: boolean): Continuation {
  const target = isEnd ? vm.c0 : takeCurrent(vm, 1);
  return breaks ? asBreak(vm, target) : target;
}

/** The body of a loop: a continuation from the stack, or the rest of the code. */
function body(vm: Vm, isEnd: boolean): Continuation {
  return isEnd ? takeCurrent(vm, 0) : vm.stack.popContinuation();
}

function enterLoop(vm: Vm, first: Continuation, loop: SpecialStep): void {
  if (first.data?.c0 === undefined) vm.c0 = new Continuation(loop, undefined);
  jump(vm, first);
}

function repeat(vm: Vm, isEnd: boolean, breaks: boolean): void {
  const { stack } = vm;
  stack.need(isEnd ? 1 : 2);
  const given = isEnd ? undefined : stack.popContinuation();
  const count = stack.popSmall(0x7fffffff, -0x80000000);
  if (count <= 0) {
    if (isEnd) ret(vm);
    return;
  }
  const part = given ?? body(vm, true);
  jump(vm, new Continuation({ kind: "repeat", count, body: part, after: after(vm, isEnd, breaks) }, undefined));
}

function until(vm: Vm, isEnd: boolean, breaks: boolean): void {
  const part = body(vm, isEnd);
  enterLoop(vm, part, { kind: "until", body: part, after: after(vm, isEnd, breaks) });
}

function loopWhile(vm: Vm, isEnd: boolean, breaks: boolean): void {
  if (!isEnd) vm.stack.need(2);
  const given = isEnd ? undefined : vm.stack.popContinuation();
  const cond = vm.stack.popContinuation();
  const part = given ?? body(vm, true);
  enterLoop(vm, cond, { kind: "whileCond", cond, body: part, after: after(vm, isEnd, breaks) });
}

function again(vm: Vm, isEnd: boolean, breaks: boolean): void {
  if (breaks && isEnd) {
    const { c0, c1 } = vm;
    vm.c0 = withData(c0, (data) => ({ ...data, c1: data.c1 ?? c1 }));
    vm.c1 = vm.c0;
  } else if (breaks) {
    vm.c1 = takeCurrent(vm, 3);
  }
  jump(vm, new Continuation({ kind: "again", body: body(vm, isEnd) }, undefined));
}

const loopKinds = [
  ["REPEAT", repeat],
  ["UNTIL", until],
  ["WHILE", loopWhile],
  ["AGAIN", again],
] as const;

const loops: readonly Instruction[] = loopKinds.flatMap(([name, run], i) => {
  const digit = (base: number): string => (base + i * 2).toString(16).toUpperCase();
  return [
    plain(`E${digit(4)}`, name, (vm) => run(vm, false, false)),
    plain(`E${digit(5)}`, `${name}END`, (vm) => run(vm, true, false)),
    plain(`E31${digit(4)}`, `${name}BRK`, (vm) => run(vm, false, true)),
    plain(`E31${digit(5)}`, `${name}ENDBRK`, (vm) => run(vm, true, true)),
  ];
});

export const conditionInstructions: readonly Instruction[] = [...branches, ...loops];
