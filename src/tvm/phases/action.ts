import { CellKind } from "../../cell/base/CellKind.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { addMoney, isZero, withCoins } from "../../model/Money.ts";
import { skipOutMessage } from "../../model/strict/OutMessage.ts";
import { type CellBudget, cellBudget, follows, skipCell, skipCurrencies } from "../../model/strict/schemes.ts";
import { TvmError } from "../errors.ts";
import type { AccountCells } from "./AccountData.ts";
import { Actions, type Draft, ResultCode } from "./Draft.ts";
import { changeLibrary } from "./library.ts";
import { isStateAllowed } from "./limits.ts";
import { reserve } from "./reserve.ts";
import { sendMessage } from "./sendMessage.ts";

const sendsMessage = 0x0ec3c86d;
const setsCode = 0xad4de08e;
const reserves = 0x36e6b809;
const changesLibrary = 0x26fa1dd4;
const maxActions = 255;
const actionsPerStep = 4; // Each looks at no more than a thousand cells, or pauses by itself.

/** Executes the actions of the code: all of them, or only the cost of a failure. */
export function* act(draft: Draft, list: Cell): Steps<void> {
  const actions = new Actions(list, draft);
  draft.actions = actions;
  const nodes = readList(actions, list);
  if (nodes === undefined) return;
  const checked = yield* checkActions(draft, actions, nodes);
  if (checked === undefined) return;
  const before = { code: draft.code, data: draft.data, library: draft.library };
  const { messageBalance } = draft;
  const failure = yield* runActions(draft, actions, checked);
  const restore = (): void => {
    if (draft.rules.version >= 14) draft.messageBalance = messageBalance;
  };
  if (failure !== 0) {
    fail(draft, actions, failure);
    // Libraries are changed even by a phase that fails.
    yield* enforceLimits(draft, actions, before);
    restore();
    fine(draft, actions);
    if (actions.bounceOnFail) actions.bounce = true;
    return;
  }
  if (draft.rules.version >= 4) actions.actionFees += actions.fine;
  draft.endLt = actions.endLt;
  draft.code = actions.code ?? draft.code;
  if (draft.compute?.kind === "vm") draft.data = draft.compute.committed?.c4;
  if (yield* enforceLimits(draft, actions, before)) {
    succeed(draft, actions);
  } else {
    restore();
    if (draft.rules.version < 10) return;
    draft.endLt = draft.startLt + 1n;
    actions.endLt = draft.endLt;
    fine(draft, actions);
  }
}

/** The cells of the list, first action first; `undefined` when it is no list. */
function readList(actions: Actions, list: Cell): Cell[] | undefined {
  const nodes: Cell[] = [];
  let at = list;
  const refuse = (code: number): undefined => {
    actions.resultCode = code;
    actions.resultArg = nodes.length;
    return undefined;
  };
  for (;;) {
    if (at.kind !== CellKind.ordinary) return refuse(ResultCode.listInvalid);
    if (at.bitLength === 0 && at.refCount === 0) break;
    if (at.refCount === 0) return refuse(ResultCode.listInvalid);
    nodes.push(at);
    if (nodes.length > maxActions) return refuse(ResultCode.tooManyActions);
    at = at.ref(0);
  }
  actions.totalActions = nodes.length;
  return nodes.reverse();
}

/** Actions that follow the scheme; in the place of one that is skipped because it does not stands `undefined`. */
function* checkActions(
  { rules }: Draft,
  actions: Actions,
  nodes: readonly Cell[],
): Steps<(Cell | undefined)[] | undefined> {
  const checked: (Cell | undefined)[] = [];
  for (const [i, node] of nodes.entries()) {
    if (i % actionsPerStep === actionsPerStep - 1) yield;
    actions.resultArg = i;
    if (follows(() => skipCell(node, skipAction, cellBudget()))) {
      checked.push(node);
      continue;
    }
    const mode = rules.version >= 8 ? modeOfBroken(node) : 0;
    if ((mode & 2) === 0) {
      if ((mode & 16) !== 0) actions.bounce = true;
      actions.resultCode = ResultCode.invalid;
      return undefined;
    }
    actions.skippedActions++;
    checked.push(undefined);
  }
  actions.valid = true;
  return checked;
}

/** The mode of an action that sends a message, however broken the message is. */
function modeOfBroken(node: Cell): number {
  const slice = sliceOf(node);
  return slice.remainingBits >= 40 && slice.loadUint(32) === sendsMessage ? slice.loadUint(8) : 0;
}

// out_list_node$_ prev:^Cell action:OutAction = OutListNode;
function skipAction(slice: Slice, cells: CellBudget): void {
  slice.skipRefs(1);
  const tag = slice.loadUint(32);
  if (tag === sendsMessage) {
    skipCell(slice.skip(8).loadRef(), skipOutMessage, cells);
  } else if (tag === setsCode) {
    slice.skipRefs(1);
  } else if (tag === reserves) {
    skipCurrencies(slice.skip(8), cells);
  } else if (tag === changesLibrary) {
    slice.skip(7);
    if (slice.loadBit()) slice.skipRefs(1);
    else slice.skip(256);
  } else {
    throw new CellError("cell/tag", `no action is called ${tag}`);
  }
}

function* runActions(draft: Draft, actions: Actions, nodes: readonly (Cell | undefined)[]): Steps<number> {
  for (const [i, node] of nodes.entries()) {
    if (node === undefined) continue;
    if (i % actionsPerStep === actionsPerStep - 1) yield;
    actions.resultArg = i;
    actions.bounceOnFail = false;
    const ran = runAction(draft, actions, sliceOf(node).skipRefs(1));
    const code = typeof ran === "number" ? ran : yield* ran;
    if (code !== 0) return code;
  }
  return 0;
}

function runAction(draft: Draft, actions: Actions, slice: Slice): number | Steps<number> {
  const tag = slice.loadUint(32);
  if (tag === setsCode) {
    actions.code = slice.loadRef();
    actions.specialActions++;
    return 0;
  }
  const mode = slice.loadUint(tag === changesLibrary ? 7 : 8);
  if (tag === sendsMessage) return sendMessage(draft, actions, mode, slice.loadRef());
  const rest = actions.takeBounceMode(mode, draft.rules.version);
  return tag === reserves ? reserve(draft, actions, rest, slice) : changeLibrary(draft, actions, rest, slice);
}

function fail(draft: Draft, actions: Actions, code: number): void {
  actions.resultCode = code;
  actions.endLt = draft.endLt;
  actions.noFunds = code === ResultCode.noFunds || code === ResultCode.noExtraFunds;
}

/** Whether the new state may be; otherwise the account keeps its old one. */
function* enforceLimits(draft: Draft, actions: Actions, before: AccountCells): Steps<boolean> {
  const { account, rules } = draft;
  if (account.isSpecial || (yield* isStateAllowed(draft, rules.limits.maxAccountPublicLibraries))) return true;
  Object.assign(draft, before);
  actions.resultCode = ResultCode.stateTooLarge;
  actions.stateTooLarge = true;
  return false;
}

/** What a failed phase costs, instead of all fees. */
function fine(draft: Draft, actions: Actions): void {
  if (draft.rules.version < 4) return;
  const { coins } = draft.balance;
  const asked = actions.fine + actions.fineOnFail;
  actions.fine = asked < coins ? asked : coins;
  actions.actionFees = actions.fine;
  draft.balance = withCoins(draft.balance, coins - actions.fine);
  draft.totalFees += actions.fine;
}

function succeed(draft: Draft, actions: Actions): void {
  actions.resultArg = 0;
  actions.resultCode = 0;
  actions.remaining = addMoney(actions.remaining, actions.reserved);
  if (actions.deleteRequested) {
    const isNew = draft.rules.version >= 10;
    if (actions.remaining.coins !== 0n || (!isNew && actions.remaining.extra !== undefined))
      throw new TvmError("tvm/undefined", "a deleted account still has a balance");
    actions.deleted = true;
    draft.status = isZero(actions.remaining) ? "deleted" : "uninit";
    draft.wasDeleted = true;
  }
  actions.success = true;
  draft.outMessages = actions.messages;
  draft.totalFees += actions.actionFees;
  draft.balance = actions.remaining;
}
