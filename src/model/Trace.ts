import type { Cell } from "../cell/Cell.ts";
import { type Address, makeAddress, plainAddress } from "./Address.ts";
import type { Hash } from "./Hash.ts";
import type { InCell, Message } from "./Message.ts";
import type { SkipReason } from "./phases.ts";
import type { StateInit } from "./StateInit.ts";
import type { AccountStatus, Transaction } from "./Transaction.ts";

/** A message as a trace sees it: who sent what to whom. */
export interface TraceMessage {
  readonly hash: Hash;
  /** Absent for messages from outside. */
  readonly source: Address | undefined;
  /** Absent for messages to the outside (logs). */
  readonly destination: Address | undefined;
  /** Absent for messages from and to the outside. */
  readonly value: bigint | undefined;
  /** Amounts of other currencies by their number. */
  readonly extra: ReadonlyMap<number, bigint>;
  readonly createdLt: bigint | undefined;
  readonly createdAt: number | undefined;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly body: Cell;
  readonly init: StateInit | undefined;
}

/** A transaction as a trace sees it, with the message that caused it and those it sent. */
export interface TraceTransaction {
  readonly hash: Hash;
  readonly account: Address;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly isTickTock: boolean;
  readonly aborted: boolean;
  readonly emulated: boolean;
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  /** Absent when the compute phase was skipped or there was none. */
  readonly exitCode: number | undefined;
  readonly computeSkipped: SkipReason | undefined;
  /** Absent for what the chain itself started (tick-tock). */
  readonly inMessage: TraceMessage | undefined;
  /** In the order they were sent. */
  readonly outMessages: readonly TraceMessage[];
}

/** A message from outside, or the chain itself, and all it caused. */
export interface Trace {
  /** Hash of the root transaction. */
  readonly id: Hash;
  /** Hash of the message that started it. */
  readonly externalHash: Hash | undefined;
  readonly externalHashNormalized: Hash | undefined;
  readonly endLt: bigint;
  readonly endAt: number;
  readonly mcSeqnoEnd: number;
  readonly transactions: readonly TraceTransaction[];
}

/** What a transaction's own cell does not say. */
export interface TransactionPlace {
  readonly workchain: number;
  readonly mcSeqno: number;
  readonly emulated: boolean;
}

/** A transaction as a trace sees it; who has read the messages it sent hands them in. */
export function traceTransaction(
  transaction: InCell<Transaction>,
  place: TransactionPlace,
  outMessages: readonly InCell<Message>[] = transaction.messages.out.values(),
): TraceTransaction {
  const { description, messages } = transaction;
  const compute = "compute" in description ? description.compute : undefined;
  return {
    hash: transaction.cell.hash(),
    account: makeAddress(place.workchain, transaction.account),
    lt: transaction.lt,
    now: transaction.now,
    mcSeqno: place.mcSeqno,
    isTickTock: description.kind === "tickTock",
    aborted: "aborted" in description ? description.aborted : false,
    emulated: place.emulated,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    exitCode: compute?.kind === "vm" ? compute.details.exitCode : undefined,
    computeSkipped: compute?.kind === "skipped" ? compute.reason : undefined,
    inMessage: messages.in === undefined ? undefined : traceMessage(messages.in),
    outMessages: outMessages.map(traceMessage),
  };
}

/** A message as a trace sees it. Written out: objects of one shape, made without copying, are several times cheaper. */
export function traceMessage({ cell, info, body, init }: InCell<Message>): TraceMessage {
  const isInternal = info.kind === "internal";
  return {
    hash: cell.hash(),
    source: info.kind === "externalIn" ? undefined : plainAddress(info.src),
    destination: info.kind === "externalOut" ? undefined : plainAddress(info.dest),
    value: isInternal ? info.value.coins : undefined,
    extra: isInternal && !info.value.extra.isEmpty ? new Map(info.value.extra.entries()) : noExtra,
    createdLt: info.kind === "externalIn" ? undefined : info.createdLt,
    createdAt: info.kind === "externalIn" ? undefined : info.createdAt,
    bounce: isInternal && info.bounce,
    bounced: isInternal && info.bounced,
    body,
    init,
  };
}

const noExtra: ReadonlyMap<number, bigint> = new Map();
