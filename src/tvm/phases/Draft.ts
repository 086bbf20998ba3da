import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { CellCounter } from "../../model/CellCounter.ts";
import type { Hash } from "../../model/Hash.ts";
import { type Money, noMoney } from "../../model/Money.ts";
import type { BouncePhase, CreditPhase, SkipReason, StoragePhase } from "../../model/phases.ts";
import type { AccountData, AccountDataStatus } from "./AccountData.ts";
import type { Rules } from "./rules.ts";

/** Result codes of the action phase. */
export const ResultCode = {
  ...{ listInvalid: 32, tooManyActions: 33, invalid: 34 },
  ...{ badSource: 35, badDestination: 36, noFunds: 37, noExtraFunds: 38, doesNotFit: 39, tooLarge: 40 },
  ...{ libraryNotFound: 41, brokenLibraries: 42, libraryTooLarge: 43, tooManyCurrencies: 44, badFlags: 45 },
  ...{ libraryNotAllowed: 46, tooMuchOutput: 47, stateTooLarge: 50 },
} as const;

/** The message that a transaction takes in, read as far as the phases need it. */
export interface InMessage {
  readonly cell: Cell;
  readonly isExternal: boolean;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly src: Slice;
  readonly dest: Slice;
  /** As the message carries it; fees may have been taken from what is left. */
  readonly value: Money;
  readonly extraFlags: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
  readonly init: Cell | undefined;
  readonly body: Slice;
}

export interface ComputeResult {
  readonly kind: "vm";
  readonly success: boolean;
  readonly gasFees: bigint;
  readonly gasUsed: number;
  readonly exitCode: number;
  readonly exitArg: number;
  readonly vmSteps: number;
  readonly accepted: boolean;
  /** What the code committed; `undefined` without success. */
  readonly committed: { readonly c4: Cell; readonly c5: Cell } | undefined;
}

export type Compute = ComputeResult | { readonly kind: "skipped"; readonly reason: SkipReason };

export class Actions {
  readonly listHash: Hash;
  success = false;
  valid = false;
  noFunds = false;
  deleted = false;
  bounce = false;
  stateTooLarge = false;
  /** Whether the action at work asks for a bounce should it fail. */
  bounceOnFail = false;
  /** Whether a message took everything and asked for the account to be deleted. */
  deleteRequested = false;
  resultCode = -1;
  resultArg = 0;
  totalActions = 0;
  specialActions = 0;
  skippedActions = 0;
  readonly messages: Cell[] = [];
  messageCells = 0;
  messageBits = 0;
  remaining: Money;
  reserved = noMoney;
  code: Cell | undefined;
  endLt: bigint;
  fwdFees = 0n;
  actionFees = 0n;
  fine = 0n;
  /** Added to the fine when a later action fails (since version 15). */
  fineOnFail = 0n;

  constructor(list: Cell, { balance, endLt }: Draft) {
    this.listHash = list.hash();
    this.remaining = balance;
    this.endLt = endLt;
  }

  /** Mode 16, known since version 4, asks for a bounce should the action fail. Gives the rest of the mode. */
  takeBounceMode(mode: number, version: number): number {
    if ((mode & 16) === 0 || version < 4) return mode;
    this.bounceOnFail = true;
    return mode & ~16;
  }
}

export interface Gas {
  readonly limit: bigint;
  readonly max: bigint;
  readonly credit: bigint;
}

export interface DraftInput {
  readonly kind: "ordinary" | "tick" | "tock";
  readonly rules: Rules;
  readonly account: AccountData;
  readonly now: number;
  readonly lt: bigint;
}

/** Blocks begin at multiples of this lt. */
const ltAlign = 1_000_000n;

/** A transaction in the making: phases change it one after another. */
export class Draft {
  readonly kind: DraftInput["kind"];
  readonly rules: Rules;
  readonly account: AccountData;
  readonly now: number;
  readonly blockLt: bigint;
  startLt: bigint;
  endLt: bigint;
  message: InMessage | undefined;
  /** What is left of the message's value; `undefined` for tick and tock. */
  messageBalance: Money | undefined;
  status: AccountDataStatus | "deleted";
  balance: Money;
  /**
   * Balance before the message and after the storage phase: what reserve modes 4 and 12 mean; `undefined` below zero.
   */
  originalBalance: Money | undefined;
  totalFees = 0n;
  duePayment: bigint;
  lastPaid: number;
  /** The address that outgoing messages have as their source. */
  address: Cell;
  code: Cell | undefined;
  data: Cell | undefined;
  library: Cell | undefined;
  tick: boolean;
  tock: boolean;
  fixedPrefixLength: number;
  /** Libraries that the message of an active account brings. */
  messageLibrary: Cell | undefined;
  wasFrozen = false;
  wasDeleted = false;
  wasActivated = false;
  /** Whether the owner of the network writes the account: no code runs, and that is no failure. */
  isWrite = false;
  /** The hash of a frozen state that such a write gives. */
  frozenHash: Hash | undefined;
  /** Whether the key of the account is not needed: all signature checks succeed. */
  isImpersonated = false;
  /** Whether the state that runs is the one in the message. */
  usesMessageState = false;
  gas: Gas = { limit: 0n, max: 0n, credit: 0n };
  precompiledGas: bigint | undefined;
  storage: StoragePhase | undefined;
  credit: CreditPhase | undefined;
  compute: Compute | undefined;
  actions: Actions | undefined;
  bounce: BouncePhase | undefined;
  outMessages: readonly Cell[] = [];
  /** Cells of code, data and libraries as they were last counted. */
  counted: { readonly roots: readonly Cell[]; readonly stat: CellCounter } | undefined;

  constructor({ kind, rules, account, now, lt }: DraftInput) {
    this.kind = kind;
    this.rules = rules;
    this.account = account;
    this.now = now;
    this.blockLt = lt - (lt % ltAlign);
    this.startLt = lt > account.endLt ? lt : account.endLt;
    this.endLt = this.startLt + 1n;
    this.status = account.status === "nonexist" ? "uninit" : account.status;
    this.balance = account.balance;
    this.originalBalance = account.balance;
    this.duePayment = account.duePayment;
    this.lastPaid = account.lastPaid;
    this.address = account.address;
    this.code = account.code;
    this.data = account.data;
    this.library = account.library;
    this.tick = account.tick;
    this.tock = account.tock;
    this.fixedPrefixLength = account.fixedPrefixLength;
  }
}

/** The balance of the message, or nothing where there is no message. */
export function messageMoney(draft: Draft): Money {
  return draft.messageBalance ?? noMoney;
}
