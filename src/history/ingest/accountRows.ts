import type { Cell } from "../../cell/Cell.ts";
import { CellKind } from "../../cell/CellKind.ts";
import { loadCell } from "../../cell/codec.ts";
import { readContractMethods } from "../../contracts/contractMethods.ts";
import { Account } from "../../model/Account.ts";
import type { BatchRows } from "../store/BatchRows.ts";
import type { AccountAfter } from "./Batch.ts";
import { storedExtra } from "./decodeRows.ts";

type StateRow = BatchRows["accountStates"][number];
type LatestRow = BatchRows["latestAccountStates"][number];
type CodeRow = BatchRows["codes"][number];

/** The code and data that a whole account's cell refers to. */
export function codeAndData(cell: Cell): { readonly code: Cell | undefined; readonly data: Cell | undefined } {
  const account = loadCell(Account, cell);
  const state = account.kind === "account" ? account.storage.state : undefined;
  return state?.kind === "active"
    ? { code: state.init.code, data: state.init.data }
    : { code: undefined, data: undefined };
}

/** The row of a state. */
export function accountStateRow({ address, stateHash, cell, code, data }: AccountAfter): StateRow {
  const account = loadCell(Account, cell);
  const bare = { account: address, hash: stateHash };
  if (account.kind === "none") return { ...bare, ...nothing, balance: 0n, balanceExtra: undefined, status: "nonexist" };
  const { balance, state } = account.storage;
  return {
    ...bare,
    balance: balance.coins,
    balanceExtra: storedExtra(balance.extra),
    status: state.kind,
    frozenHash: state.kind === "frozen" ? state.stateHash : undefined,
    dataHash: data?.hash(),
    codeHash: code?.hash(),
  };
}

const nothing = { frozenHash: undefined, dataHash: undefined, codeHash: undefined };

/** The row of an account's newest state. */
export function latestStateRow(row: StateRow, after: AccountAfter, dataBoc: Uint8Array | undefined): LatestRow {
  return {
    account: row.account,
    hash: row.hash,
    balance: row.balance,
    balanceExtra: row.balanceExtra,
    status: row.status,
    timestamp: after.now,
    lastTransHash: after.lastTransHash,
    lastTransLt: after.lastTransLt,
    frozenHash: row.frozenHash,
    dataHash: row.dataHash,
    codeHash: row.codeHash,
    dataBoc,
  };
}

/** The row of a code; of one that only refers to a library, `library` is what it refers to, if that is known. */
export function codeRow(code: Cell, boc: Uint8Array, library: Cell | undefined): CodeRow {
  const read = code.kind === CellKind.library ? library : code;
  return { hash: code.hash(), boc, methods: read === undefined ? undefined : readContractMethods(read) };
}
