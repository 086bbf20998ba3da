import type { Instruction } from "../instruction.ts";
import { actionInstructions } from "../instructions/actions.ts";
import { addressInstructions } from "../instructions/address.ts";
import { arithmeticInstructions } from "../instructions/arithmetic.ts";
import { c7Instructions } from "../instructions/c7.ts";
import { cellBuildInstructions } from "../instructions/cellBuild.ts";
import { cellParseInstructions } from "../instructions/cellParse.ts";
import { compareInstructions } from "../instructions/compare.ts";
import { conditionInstructions } from "../instructions/conditions.ts";
import { constantInstructions } from "../instructions/constants.ts";
import { blsInstructions } from "../instructions/crypto/bls.ts";
import { hashInstructions } from "../instructions/crypto/hash.ts";
import { p256Instructions } from "../instructions/crypto/p256.ts";
import { ristrettoInstructions } from "../instructions/crypto/ristretto.ts";
import { signatureInstructions } from "../instructions/crypto/signature.ts";
import { dictionaryInstructions } from "../instructions/dictionary.ts";
import { dictionaryCellInstructions } from "../instructions/dictionaryCells.ts";
import { divisionInstructions } from "../instructions/division.ts";
import { exceptionInstructions } from "../instructions/exceptions.ts";
import { feeInstructions } from "../instructions/fees.ts";
import { gasInstructions } from "../instructions/gas.ts";
import { jumpInstructions } from "../instructions/jumps.ts";
import { messageInstructions } from "../instructions/message.ts";
import { miscInstructions } from "../instructions/misc.ts";
import { randomInstructions } from "../instructions/random.ts";
import { registerInstructions } from "../instructions/registers.ts";
import { runvmInstructions } from "../instructions/runvm.ts";
import { sliceCompareInstructions } from "../instructions/sliceCompare.ts";
import { stackInstructions } from "../instructions/stack.ts";
import { tupleInstructions } from "../instructions/tuple.ts";
import { varIntegerInstructions } from "../instructions/varInteger.ts";

type Families = Readonly<Record<string, readonly Instruction[]>>;

/** Families that most get-methods need. */
export const commonFamilies = {
  stack: stackInstructions,
  tuple: tupleInstructions,
  constant: constantInstructions,
  arithmetic: arithmeticInstructions,
  division: divisionInstructions,
  compare: compareInstructions,
  sliceCompare: sliceCompareInstructions,
  cellBuild: cellBuildInstructions,
  cellParse: cellParseInstructions,
  jump: jumpInstructions,
  condition: conditionInstructions,
  register: registerInstructions,
  exception: exceptionInstructions,
  dictionary: dictionaryInstructions,
  dictionaryCell: dictionaryCellInstructions,
  c7: c7Instructions,
  fee: feeInstructions,
  random: randomInstructions,
  gas: gasInstructions,
  hash: hashInstructions,
  signature: signatureInstructions,
  varInteger: varIntegerInstructions,
  address: addressInstructions,
  action: actionInstructions,
  misc: miscInstructions,
} as const satisfies Families;

/** Families that are for transactions, or for cryptography that few contracts have; clients load them on demand. */
export const rareFamilies = {
  runvm: runvmInstructions,
  ristretto: ristrettoInstructions,
  bls: blsInstructions,
  message: messageInstructions,
  p256: p256Instructions,
} as const satisfies Families;

/** The instructions of codepage 0 by family. */
export const instructionFamilies = { ...commonFamilies, ...rareFamilies };

export const instructions: readonly Instruction[] = Object.values(instructionFamilies).flat();

const families = new Map(
  Object.entries(instructionFamilies).flatMap(([family, list]) => list.map(({ name }) => [name, family] as const)),
);

/** The family of an operation as steps name it; implicit jumps and what is no instruction are `control`. */
export function familyOf(operation: string): string {
  const [name = ""] = operation.split(" ", 1);
  return families.get(name) ?? "control";
}
