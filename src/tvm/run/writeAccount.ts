import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { Account, AccountState, ShardAccount } from "../../model/Account.ts";
import { type AccountWrite, loadAccountWrite } from "../../model/AccountWrite.ts";
import type { Address } from "../../model/Address.ts";
import { type Config, configFromRoot } from "../../model/config/ConfigParams.ts";
import { loadInCell } from "../../model/Message.ts";
import { withCoins } from "../../model/Money.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { TransactionOutcome } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { loadAccountData } from "../phases/AccountData.ts";
import { Draft } from "../phases/Draft.ts";
import { finish } from "../phases/finish.ts";
import { readInMessage, receiverOf } from "../phases/receive.ts";
import { rulesOf } from "../phases/rules.ts";

/** A write of an account by the owner of its network. */
export interface AccountWriteRun {
  readonly config: Config;
  readonly account: ShardAccount;
  readonly message: Cell;
  readonly now: number;
  readonly lt: bigint;
}

/**
 * Writes an account as its message says: a transaction without fees and without code. Its compute phase is skipped and
 * it is not aborted, by which it is recognized.
 */
export function* writeAccount(run: AccountWriteRun): Steps<Extract<TransactionOutcome, { readonly kind: "done" }>> {
  const { config, account, message, now, lt } = run;
  const rules = rulesOf(config);
  const receiver = receiverOf(message);
  const draft = new Draft({ kind: "ordinary", rules, account: loadAccountData(account, receiver, rules), now, lt });
  draft.message = readInMessage(message);
  draft.isWrite = true;
  draft.storage = { feesCollected: 0n, feesDue: undefined, statusChange: "unchanged" };
  draft.compute = { kind: "skipped", reason: "noState" };
  if (draft.account.status === "nonexist") draft.lastPaid = now;
  apply(draft, loadAccountWrite(message), receiver);
  const { transaction, account: after } = yield* finish(draft);
  return {
    kind: "done",
    transaction: loadInCell(Transaction, transaction),
    account: after,
    actions: undefined,
    exitCode: undefined,
    gasUsed: 0n,
    log: "",
  };
}

function apply(draft: Draft, write: AccountWrite, receiver: Address): void {
  switch (write.kind) {
    case "balance":
      draft.balance = withCoins(draft.balance, write.balance);
      return;
    case "code":
      activate(draft);
      draft.code = write.code;
      return;
    case "data":
      activate(draft);
      draft.data = write.data;
      return;
    case "state":
      applyState(draft, write.state);
      return;
    case "account":
      applyAccount(draft, write.account, receiver);
      return;
    case "config":
      draft.data = changeConfig(draft.data, write.param, write.value);
      return;
    case "supply":
      draft.data = raiseSupply(draft.data, write.amount);
  }
}

function activate(draft: Draft): void {
  draft.status = "active";
}

function applyState(draft: Draft, state: AccountState): void {
  draft.status = state.kind;
  if (state.kind === "frozen") draft.frozenHash = state.stateHash;
  const init = state.kind === "active" ? state.init : undefined;
  draft.code = init?.code;
  draft.data = init?.data;
  draft.library = init?.libraries.root;
  draft.tick = init?.special?.tick ?? false;
  draft.tock = init?.special?.tock ?? false;
  draft.fixedPrefixLength = init?.fixedPrefixLength ?? 0;
}

function applyAccount(draft: Draft, account: Account, receiver: Address): void {
  if (account.kind === "none") {
    applyState(draft, { kind: "uninit" });
    draft.balance = { coins: 0n, extra: undefined };
    draft.duePayment = 0n;
    return;
  }
  if (account.address !== receiver)
    throw new TvmError("tvm/input", "the address in the account is not that of the account to write");
  const { storage, storageInfo } = account;
  applyState(draft, storage.state);
  draft.balance = { coins: storage.balance.coins, extra: storage.balance.extra.root };
  // No account has paid for the time to come.
  draft.lastPaid = Math.min(storageInfo.lastPaid, draft.now);
  draft.duePayment = storageInfo.duePayment ?? 0n;
}

/** The data of the configuration's account, with another value of a parameter: its first reference has them all. */
function changeConfig(data: Cell | undefined, param: number, value: Cell | undefined): Cell {
  if (data === undefined || data.refCount === 0)
    throw new TvmError("tvm/input", "the account does not have a configuration");
  const rest = sliceOf(data);
  const { params } = configFromRoot(rest.loadRef());
  const { root } = value === undefined ? params.delete(param) : params.set(param, value);
  if (root === undefined) throw new TvmError("tvm/input", "a configuration without parameters");
  return beginCell().storeRef(root).storeSlice(rest).cell();
}

function raiseSupply(data: Cell | undefined, amount: bigint): Cell {
  if (data === undefined) throw new TvmError("tvm/input", "the account does not have a supply");
  const rest = sliceOf(data);
  const supply = rest.loadCoins() + amount;
  return beginCell().storeCoins(supply).storeSlice(rest).cell();
}
