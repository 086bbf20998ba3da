import { type Builder, beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell as cellCodec, storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { Linked } from "../../cell/linked.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import { impersonatedMode } from "../../model/AccountWrite.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import { isZero, storeMoney } from "../../model/Money.ts";
import type { ActionPhase, ComputePhase } from "../../model/phases.ts";
import { AccountStatus, HashUpdate, TransactionDescription } from "../../model/Transaction.ts";
import { TvmError } from "../errors.ts";
import type { Actions, Draft } from "./Draft.ts";
import { countState, isSameCell, rootsOf } from "./limits.ts";

const noAccount = beginCell().storeBit(false).cell();
const messageKey = uintKey(15);

/** Coins have at most 15 bytes. */
const coinsLimit = 1n << 120n;

export function* finish(draft: Draft): Steps<{ readonly transaction: Cell; readonly account: ShardAccount }> {
  const cell = yield* newAccount(draft);
  const transaction = transactionCell(draft, cell);
  const last = { lastTransactionHash: transaction.hash(), lastTransactionLt: draft.startLt };
  return { transaction, account: { account: new Linked(cell, Account), ...last } };
}

// account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
function* newAccount(draft: Draft): Steps<Cell> {
  const { balance, rules, account } = draft;
  if (draft.status === "uninit" && !draft.wasActivated && isZero(balance)) draft.status = "nonexist";
  if (draft.status === "deleted" && !isZero(balance)) draft.status = "uninit";
  if (draft.status === "nonexist" || draft.status === "deleted") return noAccount;
  if (balance.coins >= coinsLimit) throw new TvmError("tvm/undefined", "an account would have more than it can hold");
  const storage = storeMoney(beginCell().storeBigUint(draft.endLt, 64), balance);
  storeState(draft, storage);
  const { cells, bits, dictHash } = yield* usedBy(draft, storage);
  const builder = beginCell()
    .storeBit(true)
    .storeSlice(sliceOf(rules.version >= 10 ? draft.address : account.address));
  builder
    .storeVarUint(BigInt(cells), 7)
    .storeVarUint(BigInt(bits), 7)
    .storeUint(dictHash === undefined ? 0 : 1, 3);
  if (dictHash !== undefined) builder.storeHex(dictHash);
  builder.storeUint(draft.lastPaid, 32).storeBit(draft.duePayment !== 0n);
  if (draft.duePayment !== 0n) builder.storeCoins(draft.duePayment);
  return builder.storeBuilder(storage).cell();
}

function storeState(draft: Draft, storage: Builder): void {
  const { account, rules } = draft;
  if (draft.status === "active") {
    storeStateInit(draft, storage.storeBit(true));
    return;
  }
  const frozenHash = draft.status === "frozen" ? (draft.frozenHash ?? hashOfFrozen(draft)) : undefined;
  Object.assign(draft, { code: undefined, data: undefined, library: undefined });
  if (frozenHash === undefined || frozenHash === account.originalId) {
    // A state that the address itself names needs no other hash.
    if (rules.version >= 13) draft.status = "uninit";
    storage.storeUint(0, 2);
  } else {
    storage.storeUint(1, 2).storeHex(frozenHash);
  }
}

function hashOfFrozen(draft: Draft): Hash {
  if (!draft.wasFrozen) return draft.account.stateHash;
  const state = beginCell();
  storeStateInit(draft, state);
  return state.cell().hash();
}

function storeStateInit(draft: Draft, builder: Builder): void {
  const { rules, account, tick, tock, code, data, library } = draft;
  const prefix = rules.version >= 10 ? draft.fixedPrefixLength : (account.rewriteLength ?? 0);
  builder.storeBit(prefix > 0);
  if (prefix > 0) builder.storeUint(prefix, 5);
  builder.storeBit(tick || tock);
  if (tick || tock) builder.storeBit(tick).storeBit(tock);
  builder.storeMaybeRef(code).storeMaybeRef(data).storeMaybeRef(library);
}

/** Accounts that small have no storage dictionary when they get to version 11. */
const maxCellsWithoutDict = 25;

/** The size of the state. It is counted again only where references changed, or where a storage dictionary begins. */
function* usedBy(draft: Draft, storage: Builder): Steps<{ cells: number; bits: number; dictHash: Hash | undefined }> {
  const { account, rules, balance } = draft;
  const { bitLength } = storage;
  const countsExtra = rules.version < 10;
  const hasDict = rules.version >= 11 && !account.isMasterchain;
  const before = [...(countsExtra ? [account.balance.extra] : []), ...rootsOf(account)].filter((c) => c !== undefined);
  const after = [...(countsExtra ? [balance.extra] : []), ...rootsOf(draft)].filter((c) => c !== undefined);
  const isChanged =
    account.status === "nonexist" ||
    before.length !== after.length ||
    before.some((root, i) => !isSameCell(root, after[i]));
  const isDictDue = hasDict && account.dictHash === undefined && account.usedCells > maxCellsWithoutDict;
  if (!isChanged && !isDictDue) {
    const bits = account.usedBits - account.storageBits + bitLength;
    return { cells: account.usedCells, bits, dictHash: hasDict ? account.dictHash : undefined };
  }
  const stat = yield* countState(draft, after);
  const cells = stat.cells + 1;
  const isListed = hasDict && cells >= rules.limits.accountStateCellsForStorageDict;
  return { cells, bits: stat.bits + bitLength, dictHash: isListed ? yield* stat.dictionaryHash() : undefined };
}

// transaction$0111 … = Transaction;
function transactionCell(draft: Draft, newState: Cell): Cell {
  const { account, message, outMessages, status } = draft;
  const messages = beginCell().storeMaybeRef(message?.cell);
  const out = makeDictionary(messageKey, cellCodec, outMessages.entries());
  messages.storeMaybeRef(out.root);
  const builder = beginCell().storeUint(7, 4).storeHex(account.id).storeBigUint(draft.startLt, 64);
  builder.storeHex(account.lastTransactionHash).storeBigUint(account.lastTransactionLt, 64).storeUint(draft.now, 32);
  builder.storeUint(outMessages.length, 15);
  AccountStatus.store(builder, account.status);
  AccountStatus.store(builder, status === "deleted" ? "nonexist" : status);
  builder.storeRef(messages.cell()).storeCoins(draft.totalFees).storeBit(false);
  builder.storeRef(storeCell(HashUpdate, { oldHash: account.cell.hash(), newHash: newState.hash() }));
  return builder.storeRef(storeCell(TransactionDescription, descriptionOf(draft))).cell();
}

function descriptionOf(draft: Draft): TransactionDescription {
  const { kind, message, storage, credit, compute, actions, bounce, wasDeleted: destroyed } = draft;
  if (storage === undefined || compute === undefined)
    throw new TvmError("tvm/undefined", "a transaction without its phases");
  const action = actions && actionPhase(actions);
  const ran = computePhase(draft);
  const aborted = action?.success !== true && !draft.isWrite;
  if (kind !== "ordinary")
    return { kind: "tickTock", isTock: kind === "tock", storage, compute: ran, action, aborted, destroyed };
  const creditFirst = message?.bounce !== true;
  return { kind: "ordinary", creditFirst, storage, credit, compute: ran, action, aborted, bounce, destroyed };
}

function computePhase({ compute, gas, isImpersonated }: Draft): ComputePhase {
  if (compute?.kind !== "vm") return { kind: "skipped", reason: compute?.reason ?? "noState" };
  const { success, gasFees, gasUsed, exitCode, exitArg, vmSteps } = compute;
  // Plain literals here and below: a spread costs as much as a phase.
  const details = {
    gasUsed,
    gasLimit: Number(gas.limit),
    gasCredit: gas.credit === 0n ? undefined : Number(gas.credit),
    mode: isImpersonated ? impersonatedMode : 0,
    exitCode,
    exitArg: exitArg === 0 ? undefined : exitArg,
    vmSteps,
    vmInitStateHash: zeroHash,
    vmFinalStateHash: zeroHash,
  };
  return { kind: "vm", success, msgStateUsed: false, accountActivated: false, gasFees, details };
}

function actionPhase(actions: Actions): ActionPhase {
  return {
    success: actions.success,
    valid: actions.valid,
    noFunds: actions.noFunds,
    statusChange: actions.deleted ? "deleted" : "unchanged",
    totalFwdFees: actions.fwdFees === 0n ? undefined : actions.fwdFees,
    totalActionFees: actions.actionFees === 0n ? undefined : actions.actionFees,
    resultCode: actions.resultCode,
    resultArg: actions.resultArg === 0 ? undefined : actions.resultArg,
    totalActions: actions.totalActions,
    specialActions: actions.specialActions,
    skippedActions: actions.skippedActions,
    messagesCreated: actions.messages.length,
    actionListHash: actions.listHash,
    totalMessageSize: { cells: actions.messageCells, bits: actions.messageBits },
  };
}
