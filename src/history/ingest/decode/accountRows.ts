import { CellKind } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { readContractMethods } from "../../../contracts/kit/contractMethods.ts";
import { Account } from "../../../model/Account.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import type { AccountAfter } from "./DecodedBatch.ts";
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

/** The row of an account state. */
export function accountStateRow({ address, stateHash, lastTransLt, cell, code, data }: AccountAfter): StateRow {
  const account = loadCell(Account, cell);
  const storage = account.kind === "none" ? undefined : account.storage;
  return {
    account: address,
    hash: stateHash,
    lt: lastTransLt,
    balance: storage?.balance.coins ?? 0n,
    balanceExtra: storage && storedExtra(storage.balance.extra),
    status: storage?.state.kind ?? "nonexist",
    frozenHash: storage?.state.kind === "frozen" ? storage.state.stateHash : undefined,
    dataHash: data?.hash(),
    codeHash: code?.hash(),
  };
}

/** The row of an account's latest state. */
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

/**
 * The largest method id that the column holds. No known interface needs more than 19 bits, but anybody may deploy such
 * code.
 */
const largestId = 0x7fffffff;

/** The row of a code; `library` is the library that a reference points to, if it is known. */
export function codeRow(code: Cell, boc: Uint8Array, library: Cell | undefined): CodeRow {
  const read = code.kind === CellKind.library ? library : code;
  const ids = read === undefined ? undefined : readContractMethods(read);
  return { hash: code.hash(), boc, methods: ids?.filter((id) => id <= largestId) };
}
