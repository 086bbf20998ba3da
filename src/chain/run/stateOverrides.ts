import type { Cell } from "../../cell/Cell.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { makeLinked } from "../../cell/linked.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { noCurrency } from "../../model/Currency.ts";
import { SimpleLibrary, type StateInit } from "../../model/StateInit.ts";
import { countCells } from "./prices.ts";

/** The parts of an account that replace those of the chain. */
export interface StateOverride {
  readonly balance?: bigint | undefined;
  readonly code?: Cell | undefined;
  readonly data?: Cell | undefined;
}

const noAccount = {
  storageInfo: {
    used: { cells: 0, bits: 0 },
    extra: { kind: "none" },
    lastPaid: 0,
    duePayment: undefined,
  },
  storage: { lastTransactionLt: 0n, balance: noCurrency, state: { kind: "uninit" } },
} as const;

/** The account with the override applied; code or data make it active. */
export function overrideState(
  address: Address,
  shardAccount: ShardAccount,
  { balance, code, data }: StateOverride,
): ShardAccount {
  const account = shardAccount.account.load();
  const { storageInfo, storage } = account.kind === "account" ? account : noAccount;
  const before = storage.state.kind === "active" ? storage.state.init : undefined;
  const isActive = code !== undefined || data !== undefined || before !== undefined;
  const init: StateInit = {
    fixedPrefixLength: before?.fixedPrefixLength,
    special: before?.special,
    code: code ?? before?.code,
    data: data ?? before?.data,
    libraries: before?.libraries ?? new Dictionary(undefined, hashKey, SimpleLibrary),
  };
  const state = isActive ? ({ kind: "active", init } as const) : storage.state;
  const coins = { ...storage.balance, coins: balance ?? storage.balance.coins };
  const counted = countCells([init.code, init.data].filter((cell) => cell !== undefined));
  const used = { cells: Number(counted.cells), bits: Number(counted.bits) };
  return {
    ...shardAccount,
    account: makeLinked(Account, {
      kind: "account",
      address,
      storageInfo: isActive ? { ...storageInfo, used } : storageInfo,
      storage: { ...storage, balance: coins, state },
    }),
  };
}
