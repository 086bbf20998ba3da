import type { VmStack } from "../model/VmValue.ts";
import { statusWalletAddress, walletAddress } from "./jetton/walletAddress.ts";
import { type AskedAccount, findAmong, indexAnswers } from "./knownAnswer.ts";
import { itemAddress, itemContent } from "./nft/itemOf.ts";

const known = indexAnswers([walletAddress, statusWalletAddress, itemAddress, itemContent]);

/**
 * What a get-method gives, told from the data without a run where the code is a well known one; `undefined` where it has
 * to be run. An asker that has the account at hand asks here first.
 */
export function findKnownAnswer(account: AskedAccount, method: string, stack: VmStack): VmStack | undefined {
  return findAmong(known, account, method, stack);
}
