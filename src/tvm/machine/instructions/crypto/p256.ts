import { verifyP256 } from "../../../crypto/p256.ts";
import { type Instruction, opcode } from "../../instruction.ts";
import { sliceBytes } from "../../slices.ts";
import type { Vm } from "../../Vm.ts";
import { checkSteps, isIgnored, popData } from "./signature.ts";

const price = 3500;

function checkP256(vm: Vm, isSlice: boolean): void {
  const keySlice = vm.stack.popSlice();
  const signatureSlice = vm.stack.popSlice();
  const data = popData(vm, isSlice);
  vm.budget -= checkSteps;
  const signature = sliceBytes(signatureSlice, 64);
  const key = sliceBytes(keySlice, 33);
  vm.consume(price);
  vm.stack.pushBool(isIgnored(vm.host.signatures) || verifyP256(data, signature, key));
}

export const p256Instructions: readonly Instruction[] = [
  opcode("F914", "P256_CHKSIGNU", { need: 3, since: 4 }, (vm) => checkP256(vm, false)),
  opcode("F915", "P256_CHKSIGNS", { need: 3, since: 4 }, (vm) => checkP256(vm, true)),
];
