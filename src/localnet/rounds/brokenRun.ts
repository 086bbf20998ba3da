import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { Linked } from "../../cell/linked.ts";
import { Account, AccountStorage, type ShardAccount } from "../../model/Account.ts";
import { type InCell, loadInCell, Message } from "../../model/Message.ts";
import { StateInit } from "../../model/StateInit.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { Executor, TransactionOutcome, TransactionRun } from "../../tvm/Executor.ts";
import { storageUsed } from "../genesis/storageUsed.ts";

type Done = Extract<TransactionOutcome, { kind: "done" }>;
type Existing = Extract<Account, { kind: "account" }>;

// THROW 38: the number by which action phases fail for want of an extra currency.
const failingCode = beginCell().storeUint(0xf226, 16).cell();

/**
 * The transaction of a message between accounts on which the machine breaks; known to do so is the machine of the
 * package when code sends more of an extra currency than it has. The message has come and cannot be left out of the
 * chain, so it is run as if the code did nothing but throw 38: fees are paid and the value is sent back as after any
 * failure, the account keeps its code and data. Where the message brings the code itself, it is run as if it did not.
 * Other networks would let the code run and fail in its action phase; ours does so again when the machine can.
 */
export async function runBroken(executor: Executor, run: TransactionRun): Promise<TransactionOutcome> {
  const before = run.account.account.load();
  const isActive = before.kind === "account" && before.storage.state.kind === "active";
  const outcome = await executor.runTransaction({
    ...run,
    account: isActive ? withCode(run.account, before, failingCode) : run.account,
    message: isActive ? run.message : withoutInit(run.message),
  });
  if (outcome.kind === "notAccepted") return outcome;
  return asOf(run, isActive ? before : undefined, outcome);
}

function withCode(account: ShardAccount, before: Existing, code: Cell | undefined): ShardAccount {
  const { state } = before.storage;
  if (state.kind !== "active") return account;
  const changed = { ...before.storage, state: { ...state, init: { ...state.init, code } } };
  return { ...account, account: linkedAccount({ ...before, storage: changed }) };
}

function withoutInit(message: Cell): Cell {
  return storeCell(Message, { ...loadCell(Message, message), init: undefined });
}

function linkedAccount(account: Account): Linked<Account> {
  return new Linked(storeCell(Account, account), Account);
}

/** The outcome with the account's own code and the message as it came. */
function asOf(run: TransactionRun, before: Existing | undefined, outcome: Done): Done {
  const account = linkedAccount(restored(before, outcome.account.account.load()));
  const { transaction } = outcome;
  const stateUpdate = { oldHash: run.account.account.cell.hash(), newHash: account.cell.hash() };
  const messages = { ...transaction.messages, in: loadInCell(Message, run.message) };
  const made: InCell<Transaction> = loadInCell(
    Transaction,
    storeCell(Transaction, { ...transaction, stateUpdate, messages }),
  );
  const lastTransactionHash = made.cell.hash();
  return { ...outcome, transaction: made, account: { ...outcome.account, account, lastTransactionHash } };
}

function restored(before: Existing | undefined, after: Account): Account {
  if (before?.storage.state.kind !== "active" || after.kind === "none") return after;
  const { init } = before.storage.state;
  const { state } = after.storage;
  if (state.kind === "uninit") return after;
  const own =
    state.kind === "frozen"
      ? { ...state, stateHash: storeCell(StateInit, init).hash() }
      : { ...state, init: { ...state.init, code: init.code } };
  const storage = { ...after.storage, state: own };
  const used = storageUsed(storeCell(AccountStorage, storage));
  return { ...after, storage, storageInfo: { ...after.storageInfo, used, extra: before.storageInfo.extra } };
}
