import { createHash } from "node:crypto";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { cell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { intKey } from "../../../src/cell/keys.ts";
import type { OpenTrace, TraceStep } from "../../../src/history/ingest/traces/TraceMemory.ts";
import { TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { noStateAfter } from "../../../src/history/store/write/statesAfter.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Config } from "../../../src/model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { firstBlockLt } from "../../../src/model/Message.ts";
import type { TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";

export const noConfig: Config = { params: new Dictionary(undefined, intKey(32), cell) };

/** A hash derived from a name. */
export function named(name: string): Hash {
  return createHash("sha256").update(name).digest("hex") as Hash;
}

/** A basechain account derived from a name. */
export function accountNamed(name: string): Address {
  return makeAddress(0, named(name));
}

export const systemAccount = makeAddress(-1, zeroHash);

/** A message derived from a name; external without a sender, a log without a receiver. */
export function message(name: string, from: Address | undefined, to: Address | undefined): TraceMessage {
  const isInside = from !== undefined && to !== undefined;
  return {
    hash: named(name),
    source: from,
    destination: to,
    value: isInside ? 1n : undefined,
    extra: new Map(),
    createdLt: from === undefined ? undefined : firstBlockLt,
    createdAt: from === undefined ? undefined : 1,
    bounce: isInside,
    bounced: false,
    body: emptyCell,
    init: undefined,
  };
}

export interface TransactionParts {
  readonly name: string;
  readonly account: Address;
  readonly lt: bigint;
  readonly mcSeqno: number;
  readonly received?: TraceMessage;
  readonly sent?: readonly TraceMessage[];
}

export function transaction({ name, account, lt, mcSeqno, received, sent = [] }: TransactionParts): TraceTransaction {
  return {
    hash: named(name),
    account,
    lt,
    now: Number(lt) + 1000,
    mcSeqno,
    isTickTock: received === undefined,
    aborted: false,
    emulated: false,
    origStatus: "active",
    endStatus: "active",
    exitCode: 0,
    computeSkipped: undefined,
    inMessage: received,
    outMessages: sent,
  };
}

/** The rows of traces after commits. */
export class TraceTables {
  readonly traceOf = new Map<Hash, Hash>();
  readonly edges = new Map<Hash, Hash>();
  readonly traces = new Map<Hash, OpenTrace["row"]>();

  commit({ traceIds, touched, openEdges, closedEdges }: TraceStep): void {
    for (const [transactionHash, traceId] of traceIds) this.traceOf.set(transactionHash, traceId);
    for (const hash of closedEdges) this.edges.delete(hash);
    for (const { msgHash, traceId } of openEdges) this.edges.set(msgHash, traceId);
    for (const { row } of touched) this.traces.set(row.traceId, row);
  }

  /** The memory of a trace assembly that starts now. */
  load(): TraceMemory {
    const open = new Set(this.edges.values());
    const rows = [...this.traces.values()].filter(({ traceId }) => open.has(traceId));
    return new TraceMemory(
      this.edges,
      rows.map((row) => ({ row, seen: [], isWhole: false, isInScope: true, mayHaveParent: false })),
    );
  }
}

/** The row of a transaction, with only the fields that traces use. */
export function transactionRow(traceTransaction: TraceTransaction, traceId: Hash): BatchRows["transactions"][number] {
  return {
    account: traceTransaction.account,
    lt: traceTransaction.lt,
    hash: traceTransaction.hash,
    blockWorkchain: 0,
    blockShard: 1n << 63n,
    blockSeqno: traceTransaction.mcSeqno,
    mcBlockSeqno: traceTransaction.mcSeqno,
    traceId,
    prevTransHash: zeroHash,
    prevTransLt: 0n,
    now: traceTransaction.now,
    origStatus: traceTransaction.origStatus,
    endStatus: traceTransaction.endStatus,
    totalFees: 0n,
    totalFeesExtra: undefined,
    stateHashBefore: zeroHash,
    stateHashAfter: zeroHash,
    aborted: traceTransaction.aborted,
    description: new Uint8Array(),
    inMsgHash: traceTransaction.inMessage?.hash,
    inOpcode: undefined,
    ...noStateAfter,
  };
}
