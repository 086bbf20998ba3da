import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { findKnownAnswer } from "../../contracts/findKnownAnswer.ts";
import { refusable } from "../../contracts/kit/entity.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { internalAddress } from "../../model/messageAddress.ts";

/** A jetton wallet of the index, and its new state. */
export interface ChangedWallet {
  readonly address: Address;
  readonly owner: Address;
  readonly code: Cell;
  readonly data: Cell;
}

/** Bits before the balance: none in the standard's form, a status in that of governed jettons. */
const statusBits = [0, 4];

/**
 * The balance of a jetton wallet without a run: of well-known codes, and of data that begins with the balance and the
 * owner, as that of nearly all wallets. The owner is known, so that other data is not taken for it.
 */
export function findWalletBalance({ address, owner, code, data }: ChangedWallet): bigint | undefined {
  const [known] = findKnownAnswer({ address, codeHash: code.hash(), data }, "get_wallet_data", []) ?? [];
  if (known?.kind === "int") return known.value;
  for (const bits of statusBits) {
    const found = findBalance(data, bits);
    if (found?.owner === owner) return found.balance;
  }
  return undefined;
}

function findBalance(data: Cell, bits: number): { readonly balance: bigint; readonly owner: Address } | undefined {
  return refusable(() => {
    const slice = sliceOf(data).skip(bits);
    const balance = slice.loadCoins();
    return { balance, owner: plainAddress(internalAddress.load(slice)) };
  });
}
