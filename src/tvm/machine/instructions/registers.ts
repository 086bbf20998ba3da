import { Cell } from "../../../cell/Cell.ts";
import { jump, takeCurrent, withData } from "../control.ts";
import { Exception, fail } from "../exceptions.ts";
import { control, type Instruction, opcode, uint, wrapped } from "../instruction.ts";
import { isTuple } from "../Stack.ts";
import { Continuation, type ControlData, type StackValue } from "../StackValue.ts";
import { codeContinuation, controlData, type Vm } from "../Vm.ts";

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

const put = (vm: Vm, registers: Partial<Pick<Vm, RegisterName>>) => Object.assign(vm, registers);

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

function defineSilently(target: Continuation, name: RegisterName, value: StackValue): Continuation {
  return withData(target, (data) => (data[name] === undefined ? { ...data, [name]: value } : data));
}

/** One declaration for each of the seven registers, which stand in three ranges. */
function each(code: string, name: string, need: number, run: (vm: Vm, index: number) => unknown): Instruction[] {
  return [`${code}0-${code}3`, `${code}4-${code}5`, `${code}7`].map((range) =>
    opcode(range, [name, control], need, run),
  );
}

function defineInTop(vm: Vm, index: number): void {
  const target = vm.stack.popContinuation();
  vm.stack.push(define(vm, target, index, vm.stack.pop()));
}

const access: readonly Instruction[] = [
  ...each("ED4", "PUSH", 0, (vm, index) => vm.stack.push(vm[nameOf(index)])),
  ...each("ED5", "POP", 1, (vm, index) => setRegister(vm, index, vm.stack.pop())),
  ...each("EDA", "SAVECTR", 0, (vm, index) => put(vm, { c0: define(vm, vm.c0, index, vm[nameOf(index)]) })),
];

const saving: readonly Instruction[] = [
  ...each("ED6", "SETCONTCTR", 2, defineInTop),
  ...each("ED7", "SETRETCTR", 1, (vm, index) => put(vm, { c0: define(vm, vm.c0, index, vm.stack.pop()) })),
  ...each("ED8", "SETALTCTR", 1, (vm, index) => put(vm, { c1: define(vm, vm.c1, index, vm.stack.pop()) })),
  ...each("ED9", "POPSAVE", 1, (vm, index) => {
    const value = vm.stack.pop();
    const name = nameOf(index);
    if (index === 0 && !(value instanceof Continuation)) fail(Exception.typeCheck);
    const saved = defineSilently(vm.c0, name, vm[name]);
    setRegister(vm, index, value);
    if (index !== 0) vm.c0 = saved;
  }),
  ...each("EDB", "SAVEALTCTR", 0, (vm, index) => put(vm, { c1: define(vm, vm.c1, index, vm[nameOf(index)]) })),
  ...each("EDC", "SAVEBOTHCTR", 0, (vm, index) => {
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
  opcode("EDE0", "PUSHCTRX", 1, (vm) => vm.stack.push(vm[nameOf(popRegister(vm))])),
  opcode("EDE1", "POPCTRX", 2, (vm) => {
    const index = popRegister(vm);
    setRegister(vm, index, vm.stack.pop());
  }),
  opcode("EDE2", "SETCONTCTRX", 3, (vm) => defineInTop(vm, popRegister(vm))),
  opcode("EDE3xx", ["SETCONTCTRMANY", uint(8)], { since: 9 }, saveMany),
  opcode("EDE4", "SETCONTCTRMANYX", { need: 2, since: 9 }, (vm) => saveMany(vm, vm.stack.popSmall(255))),
];

/** Adds registers to a continuation that has none for them. */
export function withDefaults(target: Continuation, { c0, c1, c2 }: Partial<ControlData>): Continuation {
  return withData(target, (data) => ({ ...data, c0: data.c0 ?? c0, c1: data.c1 ?? c1, c2: data.c2 ?? c2 }));
}

/** Two continuations become one: the upper one follows on c0, on c1, or on both. */
function compose(code: string, name: string, makeData: (next: Continuation) => Partial<ControlData>): Instruction {
  return opcode(code, name, 2, ({ stack }) => {
    const next = stack.popContinuation();
    stack.push(withDefaults(stack.popContinuation(), makeData(next)));
  });
}

const composition: readonly Instruction[] = [
  compose("EDF0", "BOOLAND", (c0) => ({ c0 })),
  compose("EDF1", "BOOLOR", (c1) => ({ c1 })),
  compose("EDF2", "COMPOSBOTH", (next) => ({ c0: next, c1: next })),
  opcode("EDF3", "ATEXIT", 1, (vm) => put(vm, { c0: withDefaults(vm.stack.popContinuation(), { c0: vm.c0 }) })),
  opcode("EDF4", "ATEXITALT", 1, (vm) => put(vm, { c1: withDefaults(vm.stack.popContinuation(), { c1: vm.c1 }) })),
  opcode("EDF5", "SETEXITALT", 1, (vm) =>
    put(vm, { c1: withDefaults(vm.stack.popContinuation(), { c0: vm.c0, c1: vm.c1 }) }),
  ),
  opcode("EDF6", "THENRET", 1, ({ stack, c0 }) => stack.push(withDefaults(stack.popContinuation(), { c0 }))),
  opcode("EDF7", "THENRETALT", 1, ({ stack, c1 }) => stack.push(withDefaults(stack.popContinuation(), { c0: c1 }))),
  opcode("EDF8", "INVERT", 0, (vm) => put(vm, { c0: vm.c1, c1: vm.c0 })),
  opcode("EDF9", "BOOLEVAL", 1, (vm) => {
    const target = vm.stack.popContinuation();
    const next = takeCurrent(vm, 3);
    vm.c0 = new Continuation({ kind: "pushInt", value: -1, next }, undefined);
    vm.c1 = new Continuation({ kind: "pushInt", value: 0, next }, undefined);
    jump(vm, target);
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
  let target = stack.need(copy + 1).popContinuation();
  if (copy > 0) {
    if (target.data !== undefined && target.data.nargs >= 0 && target.data.nargs < copy) fail(Exception.stackOverflow);
    const values = stack.split(copy);
    target = withData(target, (data) => withValues(vm, data, values));
  }
  const limit = (nargs: number): number => (nargs > more ? tooMany : nargs < 0 ? more : nargs);
  stack.push(more < 0 ? target : withData(target, (data) => ({ ...data, nargs: limit(data.nargs) })));
}

/** Leaves this many values for the rest of the code and moves those below them into c0. */
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
  const code = stack.need(copy + 1).popSlice();
  const values = stack.split(copy);
  vm.consumeStack(values.length);
  stack.push(new Continuation(code, controlData({}, values, more)));
}

function variableForm(code: string, name: string, run: (vm: Vm, copy: number, more: number) => void): Instruction {
  return opcode(code, name, 2, (vm) => {
    const more = vm.stack.popSmall(255, -1);
    run(vm, vm.stack.popSmall(255), more);
  });
}

const count = uint(4);
const countOrAll = wrapped(4, 1);

const closures: readonly Instruction[] = [
  opcode("ECxx", ["SETCONTARGS", count, countOrAll], 0, setArguments),
  opcode("ED0x", ["RETURNARGS", count], 0, returnArguments),
  opcode("ED10", "RETURNVARARGS", 1, (vm) => returnArguments(vm, vm.stack.popSmall(255))),
  variableForm("ED11", "SETCONTVARARGS", setArguments),
  opcode("ED12", "SETNUMVARARGS", 2, (vm) => setArguments(vm, 0, vm.stack.popSmall(255, -1))),
  opcode("ED1E", "BLESS", 1, ({ stack }) => stack.push(codeContinuation(stack.popSlice()))),
  variableForm("ED1F", "BLESSVARARGS", bless),
  opcode("EExx", ["BLESSARGS", count, countOrAll], 0, bless),
];

export const registerInstructions: readonly Instruction[] = [
  ...access,
  opcode("EDFA", "SAMEALT", 0, (vm) => put(vm, { c1: vm.c0 })),
  opcode("EDFB", "SAMEALTSAVE", 0, (vm) => {
    vm.c0 = defineSilently(vm.c0, "c1", vm.c1);
    vm.c1 = vm.c0;
  }),
];

/** Continuations with values and registers of their own, which compilers hardly use. */
export const continuationInstructions: readonly Instruction[] = [...saving, ...variable, ...composition, ...closures];
