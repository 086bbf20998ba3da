import type { VmValues } from "../model/vm/VmValue.ts";
import { type AskedAccount, findAmong, indexAnswers } from "./kit/knownAnswer.ts";
import { families } from "./registry.ts";

const known = indexAnswers(families.flatMap(({ knownAnswers }) => knownAnswers));

/**
 * What a get-method gives, told from the data without a run where the code is a well known one; `undefined` where it has
 * to be run. An asker that has the account at hand asks here first.
 */
export function findKnownAnswer(account: AskedAccount, method: string, stack: VmValues): VmValues | undefined {
  return findAmong(known, account, method, stack);
}
