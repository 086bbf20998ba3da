import type { Instruction } from "./instruction.ts";
import { actionInstructions } from "./instructions/actions.ts";
import { addressInstructions } from "./instructions/address.ts";
import { arithmeticInstructions } from "./instructions/arithmetic.ts";
import { c7Instructions } from "./instructions/c7.ts";
import { cellBuildInstructions } from "./instructions/cellBuild.ts";
import { cellParseInstructions } from "./instructions/cellParse.ts";
import { compareInstructions } from "./instructions/compare.ts";
import { conditionInstructions } from "./instructions/conditions.ts";
import { constantInstructions } from "./instructions/constants.ts";
import { blsInstructions } from "./instructions/crypto/bls.ts";
import { hashInstructions } from "./instructions/crypto/hash.ts";
import { ristrettoInstructions } from "./instructions/crypto/ristretto.ts";
import { signatureInstructions } from "./instructions/crypto/signature.ts";
import { dictionaryInstructions } from "./instructions/dictionary.ts";
import { dictionaryCellInstructions } from "./instructions/dictionaryCells.ts";
import { divisionInstructions } from "./instructions/division.ts";
import { exceptionInstructions } from "./instructions/exceptions.ts";
import { feeInstructions } from "./instructions/fees.ts";
import { gasInstructions } from "./instructions/gas.ts";
import { jumpInstructions } from "./instructions/jumps.ts";
import { messageInstructions } from "./instructions/message.ts";
import { miscInstructions } from "./instructions/misc.ts";
import { randomInstructions } from "./instructions/random.ts";
import { registerInstructions } from "./instructions/registers.ts";
import { runvmInstructions } from "./instructions/runvm.ts";
import { sliceCompareInstructions } from "./instructions/sliceCompare.ts";
import { stackInstructions } from "./instructions/stack.ts";
import { tupleInstructions } from "./instructions/tuple.ts";
import { varIntegerInstructions } from "./instructions/varInteger.ts";

/** All instructions of codepage 0. */
export const instructions: readonly Instruction[] = [
  ...stackInstructions,
  ...tupleInstructions,
  ...constantInstructions,
  ...arithmeticInstructions,
  ...divisionInstructions,
  ...compareInstructions,
  ...sliceCompareInstructions,
  ...cellBuildInstructions,
  ...cellParseInstructions,
  ...jumpInstructions,
  ...conditionInstructions,
  ...registerInstructions,
  ...exceptionInstructions,
  ...runvmInstructions,
  ...dictionaryInstructions,
  ...dictionaryCellInstructions,
  ...c7Instructions,
  ...feeInstructions,
  ...randomInstructions,
  ...gasInstructions,
  ...hashInstructions,
  ...signatureInstructions,
  ...ristrettoInstructions,
  ...blsInstructions,
  ...varIntegerInstructions,
  ...addressInstructions,
  ...messageInstructions,
  ...actionInstructions,
  ...miscInstructions,
];
