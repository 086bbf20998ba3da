import type { Cell } from "../cell/Cell.ts";
import { type Slice, sliceOf } from "../cell/Slice.ts";
import { type PlainWallet, readWallet } from "../contracts/families/wallet/PlainWallet.ts";
import { isCoded } from "../lib/errors.ts";
import { type AccountNow, findCode, findData } from "./accounts.ts";

/**
 * Wallet data of an account whose code is a known wallet; `undefined` when the data cannot be read. Numbers of 32 bits
 * are signed.
 */
export function findWallet(account: AccountNow): PlainWallet | undefined {
  const [code, data] = [findCode(account), findData(account)];
  if (code === undefined || data === undefined) return undefined;
  const wallet = readWallet(code.hash(), data);
  if (wallet === undefined) return undefined;
  return {
    ...wallet,
    seqno: wallet.seqno | 0,
    walletId: wallet.walletId === undefined ? undefined : wallet.walletId | 0,
  };
}

/** The decoded data; `undefined` when it has another layout. */
export function readData<T>(data: Cell, read: (slice: Slice) => T): T | undefined {
  try {
    return read(sliceOf(data));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
