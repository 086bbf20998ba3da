import { Exception, fail, failOutOfGas } from "../exceptions.ts";
import { type Instruction, opcode } from "../instruction.ts";
import type { Vm } from "../Vm.ts";

const unlimited = Number.MAX_SAFE_INTEGER;

/** A limit below what is used already ends the run. */
function setLimit(vm: Vm, limit: number): void {
  if (limit < vm.gasUsed) failOutOfGas();
  vm.changeGasLimit(limit);
}

export const gasInstructions: readonly Instruction[] = [
  opcode("F800", "ACCEPT", 0, (vm) => setLimit(vm, unlimited)),
  opcode("F801", "SETGASLIMIT", 1, (vm) => {
    const limit = vm.stack.popFinite();
    setLimit(vm, limit < 0 ? 0 : typeof limit === "bigint" ? unlimited : limit);
  }),
  opcode("F807", "GASCONSUMED", { since: 4 }, (vm) => vm.stack.push(vm.gasUsed)),
  opcode("F80F", "COMMIT", 0, (vm) => vm.tryCommit() || fail(Exception.cellOverflow)),
];
