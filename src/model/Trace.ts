import type { Cell } from "../cell/Cell.ts";
import type { Address } from "./Address.ts";
import type { Hash } from "./Hash.ts";
import type { StateInit } from "./StateInit.ts";
import type { AccountStatus } from "./Transaction.ts";

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
  readonly computeSkipped: "noState" | "badState" | "noGas" | "suspended" | undefined;
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
