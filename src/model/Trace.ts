import type { Cell } from "../cell/Cell.ts";
import { type Address, makeAddress, plainAddress } from "./Address.ts";
import type { Hash } from "./Hash.ts";
import type { InCell, Message } from "./Message.ts";
import type { SkipReason } from "./phases.ts";
import type { StateInit } from "./StateInit.ts";
import type { AccountStatus, Transaction } from "./Transaction.ts";

/** A message in a trace: sender, receiver and content. */
export interface TraceMessage {
  readonly hash: Hash;
  /** Absent for external incoming messages. */
  readonly source: Address | undefined;
  /** Absent for external outgoing messages (logs). */
  readonly destination: Address | undefined;
  /** Absent for external messages. */
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

/** A transaction in a trace, with the message that caused it and those it sent. */
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
  /** Absent when there was no compute phase or it was skipped. */
  readonly exitCode: number | undefined;
  readonly computeSkipped: SkipReason | undefined;
  /** Absent for transactions started by the chain itself (tick-tock). */
  readonly inMessage: TraceMessage | undefined;
  /** In the order they were sent. */
  readonly outMessages: readonly TraceMessage[];
}

/** An external message, or a transaction started by the chain itself, and everything it caused. */
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

/** Data that is not in the transaction's own cell. */
export interface TransactionPlace {
  readonly workchain: number;
  readonly mcSeqno: number;
  readonly emulated: boolean;
}

/** A transaction in a trace; the caller may pass its outgoing messages if they are already read. */
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

/**
 * A message in a trace. Written as a literal: objects of one shape, made without copying, are several times cheaper.
 */
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
