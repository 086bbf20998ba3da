import { Cell } from "../../../cell/Cell.ts";
import { jump, takeCurrent, withData } from "../control.ts";
import { Exception, fail } from "../exceptions.ts";
import { control, type Instruction, instruction, plain, uint, wrapped } from "../instruction.ts";
import { isTuple } from "../Stack.ts";
import { Continuation, type ControlData, type StackValue } from "../StackValue.ts";
import { codeContinuation, plainData, type Vm } from "../Vm.ts";

type RegisterName = "c0" | "c1" | "c2" | "c3" | "c4" | "c5" | "c7";

const names: readonly (RegisterName | undefined)[] = ["c0", "c1", "c2", "c3", "c4", "c5", undefined, "c7"];

function isRightType(name: RegisterName, value: StackValue): boolean {
  if (name === "c7") return isTuple(value);
  return name === "c4" || name === "c5" ? value instanceof Cell : value instanceof Continuation;
}

function nameOf(index: number): RegisterName {
  return names[index] ?? fail(Exception.typeCheck);
}

/** A register by its number from the stack: a number without a register is a range error. */
function popRegister({ stack }: Vm): number {
  const index = stack.popSmall(16);
  if (names[index] === undefined) fail(Exception.rangeCheck);
  return index;
}

function setRegister(vm: Vm, index: number, value: StackValue): void {
  const name = nameOf(index);
  if (!isRightType(name, value)) fail(Exception.typeCheck);
  Object.assign(vm, { [name]: value });
}

/** What a register that is saved already does: an error before version 14, nothing since then and for c7. */
function define(vm: Vm, target: Continuation, index: number, value: StackValue): Continuation {
  const name = nameOf(index);
  if (!isRightType(name, value)) fail(Exception.typeCheck);
  if (target.data?.[name] !== undefined && name !== "c7" && vm.version < 14) fail(Exception.typeCheck);
  return defineSilently(target, name, value);
}

/** Saves a register in a continuation that has no value for it yet. */
function defineSilently(target: Continuation, name: RegisterName, value: StackValue): Continuation {
  return withData(target, (data) => (data[name] === undefined ? { ...data, [name]: value } : data));
}

/** One declaration for each of the seven registers, which stand in three ranges. */
function each(opcode: string, name: string, run: (vm: Vm, index: number) => void): Instruction[] {
  return [`${opcode}0-${opcode}3`, `${opcode}4-${opcode}5`, `${opcode}7`].map((range) =>
    instruction({ name, opcode: range, args: [control], run }),
  );
}

const access: readonly Instruction[] = [
  ...each("ED4", "PUSH", (vm, index) => vm.stack.push(vm[nameOf(index)])),
  ...each("ED5", "POP", (vm, index) => setRegister(vm, index, vm.stack.pop())),
  ...each("ED6", "SETCONTCTR", (vm, index) => {
    vm.stack.need(2);
    const target = vm.stack.popContinuation();
    vm.stack.push(define(vm, target, index, vm.stack.pop()));
  }),
  ...each("ED7", "SETRETCTR", (vm, index) => {
    vm.c0 = define(vm, vm.c0, index, vm.stack.pop());
  }),
  ...each("ED8", "SETALTCTR", (vm, index) => {
    vm.c1 = define(vm, vm.c1, index, vm.stack.pop());
  }),
  ...each("ED9", "POPSAVE", (vm, index) => {
    const value = vm.stack.pop();
    const name = nameOf(index);
    if (index === 0 && !(value instanceof Continuation)) fail(Exception.typeCheck);
    const saved = defineSilently(vm.c0, name, vm[name]);
    setRegister(vm, index, value);
    if (index !== 0) vm.c0 = saved;
  }),
  ...each("EDA", "SAVECTR", (vm, index) => {
    vm.c0 = define(vm, vm.c0, index, vm[nameOf(index)]);
  }),
  ...each("EDB", "SAVEALTCTR", (vm, index) => {
    vm.c1 = define(vm, vm.c1, index, vm[nameOf(index)]);
  }),
  ...each("EDC", "SAVEBOTHCTR", (vm, index) => {
    const name = nameOf(index);
    const value = vm[name];
    vm.c0 = defineSilently(vm.c0, name, value);
    vm.c1 = defineSilently(vm.c1, name, value);
  }),
];

/** Saves the present values of the registers of a mask in a continuation from the stack. */
function saveMany(vm: Vm, mask: number): void {
  if (mask & 64) fail(Exception.rangeCheck);
  let target = vm.stack.popContinuation();
  for (const [i, name] of names.entries())
    if (name !== undefined && mask & (1 << i)) target = define(vm, target, i, vm[name]);
  vm.stack.push(target);
}

const variable: readonly Instruction[] = [
  plain("EDE0", "PUSHCTRX", (vm) => {
    const name = names[popRegister(vm)] as RegisterName;
    vm.stack.push(vm[name]);
  }),
  plain("EDE1", "POPCTRX", (vm) => {
    vm.stack.need(2);
    const index = popRegister(vm);
    setRegister(vm, index, vm.stack.pop());
  }),
  plain("EDE2", "SETCONTCTRX", (vm) => {
    vm.stack.need(3);
    const index = popRegister(vm);
    const target = vm.stack.popContinuation();
    vm.stack.push(define(vm, target, index, vm.stack.pop()));
  }),
  instruction({ name: "SETCONTCTRMANY", opcode: "EDE3xx", args: [uint(8)], since: 9, run: saveMany }),
  plain(
    "EDE4",
    "SETCONTCTRMANYX",
    (vm) => {
      vm.stack.need(2);
      saveMany(vm, vm.stack.popSmall(255));
    },
    9,
  ),
];

/** Adds registers to a continuation that has none for them. */
function withDefaults(target: Continuation, c0: Continuation | undefined, c1: Continuation | undefined): Continuation {
  return withData(target, (data) => ({ ...data, c0: data.c0 ?? c0, c1: data.c1 ?? c1 }));
}

/** Two continuations become one: the upper one follows on c0 (1), on c1 (2), or on both. */
function compose(opcode: string, name: string, mask: number): Instruction {
  return plain(opcode, name, ({ stack }) => {
    stack.need(2);
    const next = stack.popContinuation();
    const first = stack.popContinuation();
    stack.push(withDefaults(first, mask & 1 ? next : undefined, mask & 2 ? next : undefined));
  });
}

const composition: readonly Instruction[] = [
  compose("EDF0", "BOOLAND", 1),
  compose("EDF1", "BOOLOR", 2),
  compose("EDF2", "COMPOSBOTH", 3),
  plain("EDF3", "ATEXIT", (vm) => {
    vm.c0 = withDefaults(vm.stack.popContinuation(), vm.c0, undefined);
  }),
  plain("EDF4", "ATEXITALT", (vm) => {
    vm.c1 = withDefaults(vm.stack.popContinuation(), undefined, vm.c1);
  }),
  plain("EDF5", "SETEXITALT", (vm) => {
    vm.c1 = withDefaults(vm.stack.popContinuation(), vm.c0, vm.c1);
  }),
  plain("EDF6", "THENRET", ({ stack, c0 }) => stack.push(withDefaults(stack.popContinuation(), c0, undefined))),
  plain("EDF7", "THENRETALT", ({ stack, c1 }) => stack.push(withDefaults(stack.popContinuation(), c1, undefined))),
  plain("EDF8", "INVERT", (vm) => {
    const { c0, c1 } = vm;
    vm.c0 = c1;
    vm.c1 = c0;
  }),
  plain("EDF9", "BOOLEVAL", (vm) => {
    const target = vm.stack.popContinuation();
    const next = takeCurrent(vm, 3);
    vm.c0 = new Continuation({ kind: "pushInt", value: -1, next }, undefined);
    vm.c1 = new Continuation({ kind: "pushInt", value: 0, next }, undefined);
    jump(vm, target);
  }),
  plain("EDFA", "SAMEALT", (vm) => {
    vm.c1 = vm.c0;
  }),
  plain("EDFB", "SAMEALTSAVE", (vm) => {
    vm.c0 = defineSilently(vm.c0, "c1", vm.c1);
    vm.c1 = vm.c0;
  }),
];

/** So many arguments that no stack has them: running such a continuation always fails. */
const tooMany = 0x40000000;

/** Moves values into a continuation; more than it takes are an overflow. */
function withValues(vm: Vm, data: ControlData, values: readonly StackValue[]): ControlData {
  if (data.nargs >= 0 && data.nargs < values.length) fail(Exception.stackOverflow);
  const stack = [...(data.stack ?? []), ...values];
  vm.consumeStack(stack.length);
  return { ...data, stack, nargs: data.nargs >= 0 ? data.nargs - values.length : data.nargs };
}

function setArguments(vm: Vm, copy: number, more: number): void {
  const { stack } = vm;
  stack.need(copy + 1);
  let target = stack.popContinuation();
  if (copy > 0) {
    if (target.data !== undefined && target.data.nargs >= 0 && target.data.nargs < copy) fail(Exception.stackOverflow);
    const values = stack.split(copy);
    target = withData(target, (data) => withValues(vm, data, values));
  }
  if (more >= 0) {
    target = withData(target, (data) => ({
      ...data,
      nargs: data.nargs > more ? tooMany : data.nargs < 0 ? more : data.nargs,
    }));
  }
  stack.push(target);
}

/** Leaves so many values for the rest of the code and moves those below them into c0. */
function returnArguments(vm: Vm, count: number): void {
  const { stack } = vm;
  stack.need(count);
  if (stack.depth === count) return;
  const kept = stack.split(count);
  const values = stack.takeAll();
  stack.replace(kept);
  vm.c0 = withData(vm.c0, (data) => withValues(vm, data, values));
}

function bless(vm: Vm, copy: number, more: number): void {
  const { stack } = vm;
  stack.need(copy + 1);
  const code = stack.popSlice();
  const values = stack.split(copy);
  vm.consumeStack(values.length);
  stack.push(new Continuation(code, { ...plainData, stack: values, nargs: more }));
}

const count = uint(4);
const countOrAll = wrapped(4, 1);

const closures: readonly Instruction[] = [
  instruction({ name: "SETCONTARGS", opcode: "ECxx", args: [count, countOrAll], run: setArguments }),
  instruction({ name: "RETURNARGS", opcode: "ED0x", args: [count], run: returnArguments }),
  plain("ED10", "RETURNVARARGS", (vm) => returnArguments(vm, vm.stack.popSmall(255))),
  plain("ED11", "SETCONTVARARGS", (vm) => {
    vm.stack.need(2);
    const more = vm.stack.popSmall(255, -1);
    setArguments(vm, vm.stack.popSmall(255), more);
  }),
  plain("ED12", "SETNUMVARARGS", (vm) => {
    vm.stack.need(2);
    setArguments(vm, 0, vm.stack.popSmall(255, -1));
  }),
  plain("ED1E", "BLESS", ({ stack }) => stack.push(codeContinuation(stack.popSlice()))),
  plain("ED1F", "BLESSVARARGS", (vm) => {
    vm.stack.need(2);
    const more = vm.stack.popSmall(255, -1);
    bless(vm, vm.stack.popSmall(255), more);
  }),
  instruction({ name: "BLESSARGS", opcode: "EExx", args: [count, countOrAll], run: bless }),
];

export const registerInstructions: readonly Instruction[] = [...access, ...variable, ...composition, ...closures];
