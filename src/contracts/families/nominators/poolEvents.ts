import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import type { Transaction } from "../../../model/Transaction.ts";
import { electorOpcodes } from "../elections/messages.ts";
import { poolOpcodes } from "./messages.ts";
import type { NominatorPool } from "./pool.ts";

/** A nominator's coins in a pool at a moment. */
export interface NominatorPosition {
  readonly balance: bigint;
  readonly pendingBalance: bigint;
  readonly hasRequest: boolean;
}

export const nominatorEventTypes = [
  "reward",
  "deposit",
  "withdrawal",
  "pending_deposit_activation",
  "withdrawal_request",
] as const;
export type NominatorEventType = (typeof nominatorEventTypes)[number];

/** What a transaction of a pool changed for a nominator. */
export interface NominatorEvent {
  readonly type: NominatorEventType;
  readonly nominator: Address;
  /** Negative only for a reward that is a loss. */
  readonly amount: bigint;
  readonly balanceDelta: bigint;
  readonly pendingBalanceDelta: bigint;
  readonly before: NominatorPosition;
  readonly after: NominatorPosition;
}

export const validatorEventTypes = ["reward", "penalty", "deposit", "withdrawal"] as const;
export type ValidatorEventType = (typeof validatorEventTypes)[number];

/** What a transaction of a pool changed for its validator. */
export interface ValidatorEvent {
  readonly type: ValidatorEventType;
  readonly validator: Address;
  readonly balanceBefore: bigint;
  readonly balanceAfter: bigint;
  readonly queryId: bigint | undefined;
  /** The election of the round that ended; only of rewards and penalties. */
  readonly cycleStart: number | undefined;
  readonly rewardShare: number;
}

/** What the events of a transaction depend on besides the states before and after it. */
export interface PoolMessage {
  readonly opcode: number | undefined;
  readonly queryId: bigint | undefined;
  /** Whether it may end a round: the code took an answer of the elector without an error. */
  readonly source: Address | undefined;
  readonly isDone: boolean;
}

/** The message of a transaction, as far as events depend on it. */
export function readPoolMessage({ description, messages }: Transaction): PoolMessage {
  const { info, body } = messages.in ?? {};
  const isOrdinary = description.kind === "ordinary";
  const isDone = isOrdinary && !description.aborted && description.compute.kind === "vm" && description.compute.success;
  return { ...readBeginning(body), source: info?.kind === "internal" ? plainAddress(info.src) : undefined, isDone };
}

function readBeginning(body: Cell | undefined): Pick<PoolMessage, "opcode" | "queryId"> {
  if (body === undefined || body.isExotic || body.bitLength < 32) return { opcode: undefined, queryId: undefined };
  const slice = sliceOf(body);
  const opcode = slice.loadUint(32);
  return { opcode, queryId: slice.remainingBits < 64 ? undefined : slice.loadBigUint(64) };
}

/** Whether a message may end a round, if it is from the elector. */
export function mayEndRound({ opcode, source, isDone }: PoolMessage): boolean {
  // The elector returns a stake, with the reward of the round or without a fine.
  return isDone && source !== undefined && opcode === electorOpcodes.stakeRecovered;
}

/** Compares a pool before and after a transaction. */
export interface PoolChange {
  readonly before: NominatorPool;
  readonly after: NominatorPool;
  readonly message: PoolMessage;
  /** Whether the elector returned the stake. */
  readonly endsRound: boolean;
}

const nothing: NominatorPosition = { balance: 0n, pendingBalance: 0n, hasRequest: false };

/** The events of nominators in the order of their addresses. */
export function listNominatorEvents({ before, after, endsRound }: PoolChange): readonly NominatorEvent[] {
  const [old, now] = [before, after].map(({ nominators }) => new Map(nominators.map((each) => [each.address, each])));
  const addresses = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort();
  return addresses.flatMap((nominator) => {
    const [from, to] = [old?.get(nominator) ?? nothing, now?.get(nominator) ?? nothing].map(positionOf);
    if (from === undefined || to === undefined) return [];
    const list = endsRound ? listRoundEvents : listUserEvents;
    return list(from, to).map((event) => ({ nominator, ...event }));
  });
}

type OwnEvent = Omit<NominatorEvent, "nominator">;

function positionOf({ balance, pendingBalance, hasRequest }: NominatorPosition): NominatorPosition {
  return { balance, pendingBalance, hasRequest };
}

/** At the end of a round a nominator gets a part of the reward, and then pending coins begin to take part. */
function listRoundEvents(before: NominatorPosition, after: NominatorPosition): readonly OwnEvent[] {
  const { total, pendingDelta } = deltasOf(before, after);
  const rewarded = { ...before, balance: before.balance + total };
  return [
    ...(total === 0n ? [] : [makeEvent("reward", total, [total, 0n], [before, rewarded])]),
    ...(pendingDelta >= 0n
      ? []
      : [makeEvent("pending_deposit_activation", -pendingDelta, [-pendingDelta, pendingDelta], [rewarded, after])]),
  ];
}

function listUserEvents(before: NominatorPosition, after: NominatorPosition): readonly OwnEvent[] {
  const { total, balanceDelta, pendingDelta } = deltasOf(before, after);
  const deltas = [balanceDelta, pendingDelta] as const;
  const positions = [before, after] as const;
  return [
    ...(total > 0n ? [makeEvent("deposit", total, deltas, positions)] : []),
    ...(total < 0n ? [makeEvent("withdrawal", -total, deltas, positions)] : []),
    ...(after.hasRequest && !before.hasRequest ? [makeEvent("withdrawal_request", 0n, [0n, 0n], positions)] : []),
  ];
}

function deltasOf(before: NominatorPosition, after: NominatorPosition) {
  const balanceDelta = after.balance - before.balance;
  const pendingDelta = after.pendingBalance - before.pendingBalance;
  return { balanceDelta, pendingDelta, total: balanceDelta + pendingDelta };
}

function makeEvent(
  type: NominatorEventType,
  amount: bigint,
  [balanceDelta, pendingBalanceDelta]: readonly [bigint, bigint],
  [before, after]: readonly [NominatorPosition, NominatorPosition],
): OwnEvent {
  return { type, amount, balanceDelta, pendingBalanceDelta, before, after };
}

/** The event of the validator: a message of its own or the end of a round; other changes have none. */
export function findValidatorEvent(change: PoolChange): ValidatorEvent | undefined {
  const { before, after, message } = change;
  const delta = after.validatorAmount - before.validatorAmount;
  const type = delta === 0n ? undefined : validatorEventType(change, delta);
  if (type === undefined) return undefined;
  return {
    type,
    validator: before.validator,
    balanceBefore: before.validatorAmount,
    balanceAfter: after.validatorAmount,
    queryId: message.queryId,
    cycleStart: change.endsRound && before.stakeAt !== 0 ? before.stakeAt : undefined,
    rewardShare: before.rewardShare,
  };
}

function validatorEventType({ message, endsRound }: PoolChange, delta: bigint): ValidatorEventType | undefined {
  if (endsRound) return delta > 0n ? "reward" : "penalty";
  if (message.opcode === poolOpcodes.validatorDeposit) return "deposit";
  return message.opcode === poolOpcodes.validatorWithdrawal ? "withdrawal" : undefined;
}
