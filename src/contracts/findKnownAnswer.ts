import type { VmValues } from "../model/vm/VmValue.ts";
import { type AnsweringAccount, findAmong, indexAnswers } from "./kit/knownAnswer.ts";
import { families } from "./registry.ts";

const known = indexAnswers(families.flatMap(({ knownAnswers }) => knownAnswers));

/**
 * The result of a get-method, read from the data without a run where the code is well known; `undefined` where it must
 * be run. A caller that has the account tries this first.
 */
export function findKnownAnswer(account: AnsweringAccount, method: string, stack: VmValues): VmValues | undefined {
  return findAmong(known, account, method, stack);
}
