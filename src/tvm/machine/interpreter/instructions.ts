import type { Instruction } from "../instruction.ts";
import { actionInstructions } from "../instructions/actions.ts";
import { addressInstructions, addressPartInstructions } from "../instructions/address.ts";
import { arithmeticInstructions } from "../instructions/arithmetic.ts";
import { c7Instructions, messageParameterInstructions } from "../instructions/c7.ts";
import { cellBuildInstructions, rareBuildInstructions } from "../instructions/cellBuild.ts";
import { cellParseInstructions, rareParseInstructions } from "../instructions/cellParse.ts";
import { compareInstructions } from "../instructions/compare.ts";
import { conditionInstructions } from "../instructions/conditions.ts";
import { constantInstructions } from "../instructions/constants.ts";
import { blsInstructions } from "../instructions/crypto/bls.ts";
import { hashInstructions, hashManyInstructions } from "../instructions/crypto/hash.ts";
import { p256Instructions } from "../instructions/crypto/p256.ts";
import { ristrettoInstructions } from "../instructions/crypto/ristretto.ts";
import { signatureInstructions } from "../instructions/crypto/signature.ts";
import { dictionaryEditInstructions, dictionaryInstructions } from "../instructions/dictionary.ts";
import { dictionaryCellInstructions, prefixDictionaryInstructions } from "../instructions/dictionaryCells.ts";
import { divisionInstructions } from "../instructions/division.ts";
import { exceptionInstructions } from "../instructions/exceptions.ts";
import { feeInstructions } from "../instructions/fees.ts";
import { gasInstructions } from "../instructions/gas.ts";
import { jumpInstructions, rareJumpInstructions } from "../instructions/jumps.ts";
import { messageInstructions } from "../instructions/message.ts";
import { dataSizeInstructions, miscInstructions } from "../instructions/misc.ts";
import { randomInstructions } from "../instructions/random.ts";
import { continuationInstructions, registerInstructions } from "../instructions/registers.ts";
import { runvmInstructions } from "../instructions/runvm.ts";
import { sliceCompareInstructions, sliceEndInstructions } from "../instructions/sliceCompare.ts";
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
  hash: hashInstructions,
  varInteger: varIntegerInstructions,
  address: addressInstructions,
  misc: miscInstructions,
} as const satisfies Families;

/**
 * Those that transactions need and hardly any get-method; clients load them with the first transaction, or on demand.
 */
export const transactionFamilies = {
  dictionary: dictionaryEditInstructions,
  c7: messageParameterInstructions,
  address: addressPartInstructions,
  fee: feeInstructions,
  random: randomInstructions,
  gas: gasInstructions,
  signature: signatureInstructions,
  action: actionInstructions,
  message: messageInstructions,
  misc: dataSizeInstructions,
} as const satisfies Families;

/** Those that compilers hardly use, or for cryptography that few contracts have; clients load them on demand. */
export const rareFamilies = {
  sliceCompare: sliceEndInstructions,
  hash: hashManyInstructions,
  cellBuild: rareBuildInstructions,
  cellParse: rareParseInstructions,
  jump: rareJumpInstructions,
  register: continuationInstructions,
  dictionaryCell: prefixDictionaryInstructions,
  runvm: runvmInstructions,
  ristretto: ristrettoInstructions,
  bls: blsInstructions,
  p256: p256Instructions,
} as const satisfies Families;

/** The instructions of codepage 0, each with its family. */
export const instructionFamilies: readonly (readonly [family: string, instruction: Instruction])[] = [
  commonFamilies,
  transactionFamilies,
  rareFamilies,
].flatMap((families: Families) =>
  Object.entries(families).flatMap(([family, list]) => list.map((each) => [family, each] as const)),
);

export const instructions: readonly Instruction[] = instructionFamilies.map(([, instruction]) => instruction);

let families: ReadonlyMap<string, string> | undefined;

/** The family of an operation as steps name it; implicit jumps and what is no instruction are `control`. */
export function familyOf(operation: string): string {
  const [name = ""] = operation.split(" ", 1);
  families ??= new Map(instructionFamilies.map(([family, instruction]) => [instruction.name, family]));
  return families.get(name) ?? "control";
}
