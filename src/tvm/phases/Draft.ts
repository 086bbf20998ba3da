import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { Hash } from "../../model/Hash.ts";
import type { BouncePhase, CreditPhase, SkipReason, StoragePhase } from "../../model/phases.ts";
import type { AccountData, StoredStatus } from "./AccountData.ts";
import { type Money, noMoney } from "./Money.ts";
import type { Rules } from "./rules.ts";
import type { StateCells } from "./storageStat.ts";

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

/** The action phase in the making; `resultCode` -1 means that nothing went wrong yet. */
export interface Actions {
  readonly listHash: Hash;
  success: boolean;
  valid: boolean;
  noFunds: boolean;
  deleted: boolean;
  bounce: boolean;
  stateTooLarge: boolean;
  /** Whether the action at work asks for a bounce should it fail. */
  bounceOnFail: boolean;
  /** Whether a message took everything and asked for the account to be deleted. */
  deleteRequested: boolean;
  resultCode: number;
  resultArg: number;
  totalActions: number;
  specialActions: number;
  skippedActions: number;
  messages: Cell[];
  messageCells: number;
  messageBits: number;
  remaining: Money;
  reserved: Money;
  code: Cell | undefined;
  endLt: bigint;
  fwdFees: bigint;
  actionFees: bigint;
  fine: bigint;
  /** Added to the fine when a later action fails (since version 15). */
  fineOnFail: bigint;
}

export interface Gas {
  readonly limit: bigint;
  readonly max: bigint;
  readonly credit: bigint;
}

/** A transaction in the making: phases change it one after another. */
export interface Draft {
  readonly kind: "ordinary" | "tick" | "tock";
  readonly rules: Rules;
  readonly account: AccountData;
  readonly now: number;
  /** Start of the block. */
  readonly blockLt: bigint;
  startLt: bigint;
  endLt: bigint;
  message: InMessage | undefined;
  /** What is left of the message's value; `undefined` for tick and tock. */
  messageBalance: Money | undefined;
  status: StoredStatus | "deleted";
  balance: Money;
  /** Balance before the message and after the storage phase: what reserve modes 4 and 12 mean. */
  originalBalance: Money;
  totalFees: bigint;
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
  wasFrozen: boolean;
  wasDeleted: boolean;
  wasActivated: boolean;
  /** Whether the state that runs is the one in the message. */
  usesMessageState: boolean;
  gas: Gas;
  precompiledGas: bigint | undefined;
  storage: StoragePhase | undefined;
  credit: CreditPhase | undefined;
  compute: Compute | undefined;
  actions: Actions | undefined;
  bounce: BouncePhase | undefined;
  outMessages: Cell[];
  /** Cells of code, data and libraries as they were last counted. */
  counted: { readonly roots: readonly Cell[]; readonly stat: StateCells } | undefined;
}

export interface DraftInput {
  readonly kind: Draft["kind"];
  readonly rules: Rules;
  readonly account: AccountData;
  readonly now: number;
  readonly lt: bigint;
}

/** Blocks begin at multiples of this lt. */
const ltAlign = 1_000_000n;

export function openDraft(input: DraftInput): Draft {
  const { kind, rules, account, now, lt } = input;
  const startLt = lt > account.endLt ? lt : account.endLt;
  const { balance, code, data, library, tick, tock, fixedPrefixLength, duePayment, lastPaid, address } = account;
  return {
    kind,
    rules,
    account,
    now,
    blockLt: lt - (lt % ltAlign),
    startLt,
    endLt: startLt + 1n,
    message: undefined,
    messageBalance: undefined,
    status: account.status === "nonexist" ? "uninit" : account.status,
    balance,
    originalBalance: balance,
    totalFees: 0n,
    duePayment,
    lastPaid,
    address,
    code,
    data,
    library,
    tick,
    tock,
    fixedPrefixLength,
    messageLibrary: undefined,
    wasFrozen: false,
    wasDeleted: false,
    wasActivated: false,
    usesMessageState: false,
    gas: { limit: 0n, max: 0n, credit: 0n },
    precompiledGas: undefined,
    storage: undefined,
    credit: undefined,
    compute: undefined,
    actions: undefined,
    bounce: undefined,
    outMessages: [],
    counted: undefined,
  };
}

export function withCoins(money: Money, coins: bigint): Money {
  return { coins, extra: money.extra };
}

/** The balance of the message, or nothing where there is no message. */
export function messageMoney(draft: Draft): Money {
  return draft.messageBalance ?? noMoney;
}
