import type { Cell } from "../../../cell/Cell.ts";
import { call, jump, ret, retAlt, takeCurrent } from "../control.ts";
import { Exception, fail } from "../exceptions.ts";
import { hexDigits, hidden, type Instruction, opcode, uint } from "../instruction.ts";
import { typeNumber } from "../Stack.ts";
import { Continuation, type Integer, type SpecialStep } from "../StackValue.ts";
import { refTail, twoRefsTail } from "../tails.ts";
import { codeContinuation, type Vm } from "../Vm.ts";
import { withDefaults } from "./registers.ts";

type Transfer = (vm: Vm, target: Continuation) => void;
const loadCode = (vm: Vm, cell: Cell): Continuation => codeContinuation(vm.loadCell(cell));

/** IF… and IFNOT…, which differ in the condition; their codes follow each other. */
function either(first: number, name: string, make: (code: string, name: string, wanted: boolean) => Instruction) {
  return [make(hexDigits(first), `IF${name}`, true), make(hexDigits(first + 1), `IFNOT${name}`, false)];
}

function conditional(first: number, name: string, transfer: Transfer): Instruction[] {
  return either(first, name, (code, title, wanted) =>
    opcode(code, title, 2, (vm) => {
      const target = vm.stack.popContinuation();
      if (vm.stack.popBool() === wanted) transfer(vm, target);
    }),
  );
}

function conditionalReturn(first: number, name: string, transfer: (vm: Vm) => void): Instruction[] {
  return either(first, name, (code, title, wanted) =>
    opcode(code, title, 1, (vm) => {
      if (vm.stack.popBool() === wanted) transfer(vm);
    }),
  );
}

function conditionalRef(first: number, name: string, transfer: Transfer): Instruction[] {
  return either(first, name, (code, title, wanted) =>
    opcode(code, title, { need: 1, tail: refTail }, (vm, _a, _b, _c, cell) => {
      if (vm.stack.popBool() === wanted) transfer(vm, loadCode(vm, cell));
    }),
  );
}

/** One branch is on the stack, the other one is the next reference. */
function elseRef(code: string, name: string, wanted: boolean): Instruction {
  return opcode(code, name, { need: 2, tail: refTail }, (vm, _a, _b, _c, cell) => {
    const other = vm.stack.popContinuation();
    call(vm, vm.stack.popBool() === wanted ? loadCode(vm, cell) : other);
  });
}

/** Whether an integer, which stays on the stack, has a bit. */
function hasBit({ stack }: Vm, bit: number): boolean {
  const x: Integer = stack.popFinite();
  stack.push(x);
  return ((BigInt(x) >> BigInt(bit)) & 1n) === 1n;
}

function bitJump(code: string, name: string, wanted: boolean): Instruction {
  return opcode(code, [name, uint(5)], 2, (vm, bit) => {
    const target = vm.stack.popContinuation();
    if (hasBit(vm, bit) === wanted) jump(vm, target);
  });
}

function bitJumpRef(code: string, name: string, wanted: boolean): Instruction {
  return opcode(code, [name, hidden(5)], { need: 1, tail: refTail }, (vm, bit, _b, _c, cell) => {
    if (hasBit(vm, bit) === wanted) jump(vm, loadCode(vm, cell));
  });
}

/** Chooses one of two values, which must be of one type on demand. */
function choose({ stack }: Vm, isChecked: boolean): void {
  const y = stack.pop();
  const x = stack.pop();
  if (isChecked && typeNumber(x) !== typeNumber(y)) fail(Exception.typeCheck);
  stack.push(stack.popBool() ? x : y);
}

const branches: readonly Instruction[] = [
  ...conditionalReturn(0xdc, "RET", ret),
  ...conditional(0xde, "", call),
  ...conditional(0xe0, "JMP", jump),
  opcode("E2", "IFELSE", 3, (vm) => {
    const otherwise = vm.stack.popContinuation();
    const then = vm.stack.popContinuation();
    call(vm, vm.stack.popBool() ? then : otherwise);
  }),
  ...conditionalRef(0xe300, "REF", call),
  ...conditionalRef(0xe302, "JMPREF", jump),
  opcode("E304", "CONDSEL", 3, (vm) => choose(vm, false)),
  opcode("E305", "CONDSELCHK", 3, (vm) => choose(vm, true)),
  ...conditionalReturn(0xe308, "RETALT", retAlt),
  elseRef("E30D", "IFREFELSE", true),
  elseRef("E30E", "IFELSEREF", false),
  opcode("E30F", "IFREFELSEREF", { need: 1, tail: twoRefsTail }, (vm, _a, _b, _c, [then, otherwise]) =>
    call(vm, loadCode(vm, vm.stack.popBool() ? then : otherwise)),
  ),
  bitJump("E380-E39F", "IFBITJMP", true),
  bitJump("E3A0-E3BF", "IFNBITJMP", false),
  bitJumpRef("E3C0-E3DF", "IFBITJMPREF", true),
  bitJumpRef("E3E0-E3FF", "IFNBITJMPREF", false),
];

/** Makes a continuation the one that c1 leads to, with the present c0 and c1 unless it has its own. */
function asBreak(vm: Vm, target: Continuation): Continuation {
  const { c0, c1 } = vm;
  vm.c1 = withDefaults(target, { c0, c1 });
  return vm.c1;
}

/** Where a loop goes when it is done: behind itself, or to c0 when its body is the rest of the code. */
function after(vm: Vm, isEnd: boolean, breaks: boolean): Continuation {
  const target = isEnd ? vm.c0 : takeCurrent(vm, 1);
  return breaks ? asBreak(vm, target) : target;
}

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
  const continuation = isEnd ? undefined : stack.popContinuation();
  const count = stack.popSmall(0x7fffffff, -0x80000000);
  if (count <= 0) {
    if (isEnd) ret(vm);
    return;
  }
  const part = continuation ?? body(vm, true);
  jump(vm, new Continuation({ kind: "repeat", count, body: part, after: after(vm, isEnd, breaks) }, undefined));
}

function until(vm: Vm, isEnd: boolean, breaks: boolean): void {
  const part = body(vm, isEnd);
  enterLoop(vm, part, { kind: "until", body: part, after: after(vm, isEnd, breaks) });
}

function loopWhile(vm: Vm, isEnd: boolean, breaks: boolean): void {
  if (!isEnd) vm.stack.need(2);
  const continuation = isEnd ? undefined : vm.stack.popContinuation();
  const cond = vm.stack.popContinuation();
  const part = continuation ?? body(vm, true);
  enterLoop(vm, cond, { kind: "whileCond", cond, body: part, after: after(vm, isEnd, breaks) });
}

function again(vm: Vm, isEnd: boolean, breaks: boolean): void {
  if (breaks && isEnd) {
    vm.c0 = withDefaults(vm.c0, { c1: vm.c1 });
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
  const [plain, end] = [hexDigits(4 + i * 2), hexDigits(5 + i * 2)];
  return [
    opcode(`E${plain}`, name, 0, (vm) => run(vm, false, false)),
    opcode(`E${end}`, `${name}END`, 0, (vm) => run(vm, true, false)),
    opcode(`E31${plain}`, `${name}BRK`, 0, (vm) => run(vm, false, true)),
    opcode(`E31${end}`, `${name}ENDBRK`, 0, (vm) => run(vm, true, true)),
  ];
});

export const conditionInstructions: readonly Instruction[] = [...branches, ...loops];
