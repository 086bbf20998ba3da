import { readRoot } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { fromBase64 } from "../../src/lib/bytes.ts";
import { type Address, parseAddress } from "../../src/model/Address.ts";
import { type Hash, parseHash } from "../../src/model/Hash.ts";
import { StateInit } from "../../src/model/StateInit.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../src/model/Trace.ts";
import type { AccountStatus } from "../../src/model/Transaction.ts";

/** A message in the trace files of the corpus. */
export interface RecordedMessage {
  readonly msg_hash: string;
  readonly direction: "in" | "out";
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: number | bigint | null;
  readonly value_extra_currencies?: Readonly<Record<string, unknown>> | null;
  readonly created_lt: number | bigint | null;
  readonly created_at: number | null;
  readonly bounce: boolean | null;
  readonly bounced: boolean | null;
  readonly message_content: { readonly body: string };
  readonly init_state?: { readonly body: string };
}

export interface RecordedTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: number | bigint;
  readonly now: number;
  readonly mc_block_seqno: number;
  readonly descr: string;
  readonly aborted: boolean;
  readonly emulated: boolean;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly compute_exit_code: number | null;
  readonly skipped_reason?: string | null;
  readonly messages: readonly RecordedMessage[];
}

export interface RecordedTrace {
  readonly trace_id: string;
  readonly external_hash: string | null;
  readonly end_lt: number | bigint;
  readonly end_utime: number;
  readonly mc_seqno_end: number;
}

/** Converts a recorded trace for the classifier. */
export function makeTrace(trace: RecordedTrace, transactions: readonly RecordedTransaction[]): Trace {
  return {
    id: parseHash(trace.trace_id),
    externalHash: trace.external_hash === null ? undefined : parseHash(trace.external_hash),
    externalHashNormalized: undefined,
    endLt: BigInt(trace.end_lt),
    endAt: trace.end_utime,
    mcSeqnoEnd: trace.mc_seqno_end,
    transactions: transactions.map(makeTransaction),
  };
}

function makeTransaction(recorded: RecordedTransaction): TraceTransaction {
  const out = recorded.messages.filter(({ direction }) => direction === "out");
  const incoming = recorded.messages.find(({ direction }) => direction === "in");
  return {
    hash: parseHash(recorded.hash),
    account: readAddress(recorded.account),
    lt: BigInt(recorded.lt),
    now: recorded.now,
    mcSeqno: recorded.mc_block_seqno,
    isTickTock: recorded.descr === "tick_tock",
    aborted: recorded.aborted,
    emulated: recorded.emulated,
    origStatus: recorded.orig_status,
    endStatus: recorded.end_status,
    exitCode: recorded.compute_exit_code ?? undefined,
    computeSkipped: recorded.skipped_reason === "no_gas" ? "noGas" : undefined,
    inMessage: incoming === undefined ? undefined : makeMessage(incoming),
    outMessages: out.map(makeMessage),
  };
}

function makeMessage(recorded: RecordedMessage): TraceMessage {
  const extra = Object.entries(recorded.value_extra_currencies ?? {});
  return {
    hash: parseHash(recorded.msg_hash),
    source: recorded.source === null ? undefined : readAddress(recorded.source),
    destination: recorded.destination === null ? undefined : readAddress(recorded.destination),
    value: recorded.value === null ? undefined : BigInt(recorded.value),
    extra: new Map(extra.map(([id, amount]) => [Number(id), BigInt(amount as string)])),
    createdLt: recorded.created_lt === null ? undefined : BigInt(recorded.created_lt),
    createdAt: recorded.created_at ?? undefined,
    bounce: recorded.bounce ?? false,
    bounced: recorded.bounced ?? false,
    body: readCell(recorded.message_content.body),
    init: recorded.init_state === undefined ? undefined : loadCell(StateInit, readCell(recorded.init_state.body)),
  };
}

export function readAddress(text: string): Address {
  return parseAddress(text).address;
}

export function readCell(base64: string): Cell {
  return readRoot(fromBase64(base64));
}

export function readHash(text: string): Hash {
  return parseHash(text);
}
