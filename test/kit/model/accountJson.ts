import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Account, ShardAccount } from "../../../src/model/Account.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { extraJson, rawText } from "./messageJson.ts";
import { present, usedJson } from "./transactionJson.ts";

type Json = Readonly<Record<string, unknown>>;

function optionalHash(cell: Cell | undefined): string | null {
  return cell === undefined ? null : hashToBase64(cell.hash());
}

/** An account in the format of the corpus expectations. */
export function accountJson(cell: Cell): Json {
  const account = loadCell(Account, cell);
  if (account.kind === "none") return { status: "nonexist" };
  const { address, storageInfo, storage } = account;
  const { state } = storage;
  return present({
    address: rawText(address),
    storage_used: usedJson(storageInfo.used),
    storage_dict_hash:
      storageInfo.extra.kind === "info"
        ? Buffer.from(storageInfo.extra.dictHash.toString(16).padStart(64, "0"), "hex").toString("base64")
        : undefined,
    last_paid: storageInfo.lastPaid,
    due_payment: storageInfo.duePayment === undefined ? null : String(storageInfo.duePayment),
    last_trans_lt: String(storage.lastTransactionLt),
    balance: String(storage.balance.coins),
    extra_currencies: extraJson(storage.balance.extra),
    status: state.kind,
    ...(state.kind === "active"
      ? {
          tick_tock: state.init.special,
          code_hash: optionalHash(state.init.code),
          data_hash: optionalHash(state.init.data),
          libraries_hash: optionalHash(state.init.libraries.root),
        }
      : {}),
    frozen_hash: state.kind === "frozen" ? hashToBase64(state.stateHash) : undefined,
  });
}

export function shardAccountJson(cell: Cell): Json {
  const { account, lastTransactionHash, lastTransactionLt } = loadCell(ShardAccount, cell);
  return {
    last_trans_hash: hashToBase64(lastTransactionHash),
    last_trans_lt_of_shard_account: String(lastTransactionLt),
    account_hash: hashToBase64(account.cell.hash()),
    ...accountJson(account.cell),
  };
}
