import { Exception, fail } from "../exceptions.ts";
import { type Instruction, opcode, uint } from "../instruction.ts";
import type { StackValue } from "../StackValue.ts";
import { Vm } from "../Vm.ts";

const Flag = {
  ...{ ownC3: 1, pushZero: 2, data: 4, gas: 8, c7: 16 },
  ...{ actions: 32, gasMax: 64, isolatedGas: 128, returnCount: 256 },
} as const;

const runPrice = 40;
/** More gas than any machine has. */
const unlimited = Number.MAX_SAFE_INTEGER;

function popGas(vm: Vm): number {
  const value = vm.stack.popInt63();
  return value > BigInt(unlimited) ? unlimited : Number(value);
}

function popGasLimits(vm: Vm, mode: number): { limit: number; max: number } {
  const max = mode & Flag.gasMax ? popGas(vm) : unlimited;
  const limit = mode & Flag.gas ? popGas(vm) : unlimited;
  return { limit, max: mode & Flag.gasMax ? Math.max(max, limit) : limit };
}

function runChild(vm: Vm, mode: number): void {
  if (mode >= 512) fail(Exception.rangeCheck);
  vm.consume(runPrice);
  const { stack } = vm;
  const gas = popGasLimits(vm, mode);
  const c7 = mode & Flag.c7 ? stack.popTuple(Number.POSITIVE_INFINITY) : undefined;
  const data = mode & Flag.data ? stack.popCell() : undefined;
  const returned = mode & Flag.returnCount ? stack.popSmall(1 << 30) : -1;
  const code = stack.popSlice();
  const count = stack.popSmall(stack.depth - 1);
  const values = stack.split(count);
  vm.consumeStack(count);
  const isolated = (mode & Flag.isolatedGas) !== 0;
  const before = vm.gas;
  if (isolated) isolateGas(vm);
  const available = vm.version >= 10 ? vm.gas : before;
  if ((mode & 3) === 3) values.push(0);
  const child = new Vm(
    vm.host,
    {
      ...{ code, stack: values, data, c7, ownC3: (mode & Flag.ownC3) !== 0 },
      gas: { limit: Math.min(gas.limit, available), max: Math.min(gas.max, available), credit: 0 },
    },
    { vm, finish: (ended) => finishChild(vm, ended, mode, returned) },
  );
  if (!isolated) child.loaded = vm.loaded.commit();
  child.signatureChecks = vm.signatureChecks;
  child.extraBalanceCalls = vm.extraBalanceCalls;
  child.freeGas = vm.freeGas;
  vm.child = child;
  vm.running = false;
}

/** What was free in this machine is charged before one with an account of its own starts. */
function isolateGas(vm: Vm): void {
  vm.consume(vm.freeGas);
  vm.signatureChecks = 0;
  vm.extraBalanceCalls = 0;
  vm.freeGas = 0;
}

function finishChild(vm: Vm, child: Vm, mode: number, returned: number): void {
  const { stack } = vm;
  vm.steps += child.steps;
  vm.loaded.commit();
  vm.signatureChecks = child.signatureChecks;
  vm.extraBalanceCalls = child.extraBalanceCalls;
  vm.freeGas = child.freeGas;
  vm.consume(Math.min(child.gasUsed, child.gasLimit + 1));
  const { values, exitCode } = results(child, returned);
  vm.consumeStack(values.length);
  stack.pushAll(values);
  stack.push(exitCode);
  if (mode & Flag.data) stack.push(child.committed?.c4 ?? null);
  if (mode & Flag.actions) stack.push(child.committed?.c5 ?? null);
  if (mode & Flag.gas) stack.push(child.gasUsed);
}

/**
 * What a machine hands back: after a failure its top value only; fewer values than wanted are a failure of their own.
 */
function results(child: Vm, returned: number): { readonly values: StackValue[]; readonly exitCode: number } {
  const { stack, exitCode = 0 } = child;
  if (exitCode !== 0 && exitCode !== 1) return { values: stack.split(Math.min(stack.depth, 1)), exitCode };
  if (returned < 0) return { values: stack.takeAll(), exitCode };
  if (stack.depth < returned) return { values: [0], exitCode: ~Exception.stackUnderflow };
  return { values: stack.split(returned), exitCode };
}

export const runvmInstructions: readonly Instruction[] = [
  opcode("DB4xxx", ["RUNVM", uint(12)], { since: 4 }, runChild),
  opcode("DB50", "RUNVMX", { since: 4 }, (vm) => runChild(vm, vm.stack.popSmall(4095))),
];
