import type { VmValues } from "../model/vm/VmValue.ts";
import { statusWalletAddress, walletAddress } from "./families/jetton/walletAddress.ts";
import { itemAddress, itemContent } from "./families/nft/itemOf.ts";
import { type AskedAccount, findAmong, indexAnswers } from "./kit/knownAnswer.ts";

const known = indexAnswers([walletAddress, statusWalletAddress, itemAddress, itemContent]);

/**
 * What a get-method gives, told from the data without a run where the code is a well known one; `undefined` where it has
 * to be run. An asker that has the account at hand asks here first.
 */
export function findKnownAnswer(account: AskedAccount, method: string, stack: VmValues): VmValues | undefined {
  return findAmong(known, account, method, stack);
}
