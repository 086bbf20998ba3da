import type { Cell } from "../../../cell/Cell.ts";
import { CellKind } from "../../../cell/CellKind.ts";
import { loadCell } from "../../../cell/codec.ts";
import { readContractMethods } from "../../../contracts/kit/contractMethods.ts";
import { Account } from "../../../model/Account.ts";
import type { BatchRows } from "../../store/BatchRows.ts";
import type { AccountAfter } from "../Batch.ts";
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
  const storage = account.kind === "none" ? undefined : account.storage;
  return {
    account: address,
    hash: stateHash,
    balance: storage?.balance.coins ?? 0n,
    balanceExtra: storage && storedExtra(storage.balance.extra),
    status: storage?.state.kind ?? "nonexist",
    frozenHash: storage?.state.kind === "frozen" ? storage.state.stateHash : undefined,
    dataHash: data?.hash(),
    codeHash: code?.hash(),
  };
}

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

/** The largest id that the tables hold. No interface asks for one of more than 19 bits, but anybody may deploy them. */
const largestId = 0x7fffffff;

/** The row of a code; of one that only refers to a library, `library` is what it refers to, if that is known. */
export function codeRow(code: Cell, boc: Uint8Array, library: Cell | undefined): CodeRow {
  const read = code.kind === CellKind.library ? library : code;
  const ids = read === undefined ? undefined : readContractMethods(read);
  return { hash: code.hash(), boc, methods: ids?.filter((id) => id <= largestId) };
}
