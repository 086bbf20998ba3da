import { Exception, fail, failOutOfGas } from "../exceptions.ts";
import { type Instruction, plain } from "../instruction.ts";
import type { Vm } from "../Vm.ts";

const unlimited = Number.MAX_SAFE_INTEGER;

/** A limit below what is used already ends the run. */
function setLimit(vm: Vm, limit: number): void {
  if (limit < vm.gasUsed) failOutOfGas();
  vm.changeGasLimit(limit);
}

export const gasInstructions: readonly Instruction[] = [
  plain("F800", "ACCEPT", (vm) => setLimit(vm, unlimited)),
  plain("F801", "SETGASLIMIT", (vm) => {
    const limit = vm.stack.popFinite();
    setLimit(vm, limit < 0 ? 0 : typeof limit === "bigint" ? unlimited : limit);
  }),
  plain("F807", "GASCONSUMED", (vm) => vm.stack.push(vm.gasUsed), 4),
  plain("F80F", "COMMIT", (vm) => {
    if (!vm.tryCommit()) fail(Exception.cellOverflow);
  }),
];
