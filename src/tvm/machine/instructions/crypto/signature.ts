import { isForbiddenKey, verifyEd25519 } from "../../../crypto/ed25519.ts";
import { Exception, fail } from "../../exceptions.ts";
import { type Instruction, opcode } from "../../instruction.ts";
import { fromBytes, toBytes } from "../../integers.ts";
import type { SignatureRule } from "../../MachineRun.ts";
import type { Integer } from "../../StackValue.ts";
import { sliceBytes, wholeBytes } from "../../slices.ts";
import type { Vm } from "../../Vm.ts";

const freeChecks = 10;
/** Steps of the budget that a check counts for: it takes as long as hundreds of others. */
export const checkSteps = 100;
const Price = { ed25519: 4000, recover: 1500, tweak: 1250 } as const;

function bytes32(x: Integer): Uint8Array {
  return toBytes(x, 32) ?? fail(Exception.rangeCheck);
}

export function popData({ stack }: Vm, isSlice: boolean): Uint8Array {
  return isSlice ? wholeBytes(stack.popSlice()) : bytes32(stack.popInt());
}

/** The first checks of a run are free. */
function chargeCheck(vm: Vm): void {
  if (vm.version < 4) return;
  if (++vm.signatureChecks > freeChecks) vm.consume(Price.ed25519);
  else vm.freeGas += Price.ed25519;
}

function checkEd25519(vm: Vm, isSlice: boolean): void {
  const keyNumber = vm.stack.popInt();
  const signatureSlice = vm.stack.popSlice();
  const data = popData(vm, isSlice);
  vm.budget -= checkSteps;
  const signature = sliceBytes(signatureSlice, 64);
  const key = bytes32(keyNumber);
  chargeCheck(vm);
  const isRefused = vm.version >= 14 && isForbiddenKey(key);
  const { signatures } = vm.host;
  const verify = typeof signatures === "function" ? signatures : verifyEd25519;
  vm.stack.pushBool(isIgnored(signatures) || (!isRefused && verify(data, signature, key)));
}

export function isIgnored(signatures: SignatureRule | undefined): boolean {
  return signatures === "ignore" || signatures === "impersonate";
}

/** A public key of 65 bytes, as its first byte and two numbers, and whether there is one. */
function pushKey({ stack }: Vm, key: Uint8Array | undefined): void {
  if (key !== undefined)
    stack.pushAll([key[0] as number, fromBytes(key.subarray(1, 33)), fromBytes(key.subarray(33, 65))]);
  stack.pushBool(key !== undefined);
}

function recover(vm: Vm): void {
  const { stack } = vm;
  const [s, r] = [stack.popInt(), stack.popInt()];
  const given = stack.popSmall(255);
  const hashNumber = stack.popInt();
  const signature = { r: bytes32(r), s: bytes32(s) };
  const hash = bytes32(hashNumber);
  vm.consume(Price.recover);
  const v = vm.version >= 14 && (given === 27 || given === 28) ? given - 27 : given;
  pushKey(vm, vm.compute("recoverPublicKey", hash, { ...signature, v }));
}

function addTweak(vm: Vm): void {
  const tweakNumber = vm.stack.popInt();
  const key = bytes32(vm.stack.popInt());
  const tweak = bytes32(tweakNumber);
  vm.consume(Price.tweak);
  pushKey(vm, vm.compute("addTweakToXOnlyKey", key, tweak));
}

export const signatureInstructions: readonly Instruction[] = [
  opcode("F910", "CHKSIGNU", 3, (vm) => checkEd25519(vm, false)),
  opcode("F911", "CHKSIGNS", 3, (vm) => checkEd25519(vm, true)),
  opcode("F912", "ECRECOVER", { need: 4, since: 4 }, recover),
  opcode("F913", "SECP256K1_XONLY_PUBKEY_TWEAK_ADD", { need: 2, since: 9 }, addTweak),
];
