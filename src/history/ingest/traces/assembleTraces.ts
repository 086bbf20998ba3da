import { type Address, makeAddress } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { zeroHash } from "../../../model/Hash.ts";
import { firstBlockLt } from "../../../model/Message.ts";
import type { TraceMessage, TraceTransaction } from "../../../model/Trace.ts";
import type { RowDraft } from "../../store/schema/Table.ts";
import type { TraceRow, TraceState } from "../../store/schema/tables.ts";
import type { TraceMemory, TraceStep } from "./TraceMemory.ts";

/** The transactions of one masterchain block. */
export interface TraceInput {
  readonly mcSeqno: number;
  /** Ordered by lt, workchain and account: senders come before receivers. */
  readonly transactions: readonly TraceTransaction[];
  /** Normalized hashes of external messages, where they differ from the plain hashes. */
  readonly normalized: ReadonlyMap<Hash, Hash>;
  /** The logical time at which the blocks begin: messages that are older were sent in other blocks. */
  readonly startLt?: bigint;
}

/** The account in whose name the chain itself sends messages. */
const systemAccount: Address = makeAddress(-1, zeroHash);

/** Assembles the transactions of one masterchain block into traces (v3-indexing §5); the memory is only read. */
export function assembleTraces(memory: TraceMemory, input: TraceInput): TraceStep {
  const assembly = new Assembly(memory, input);
  for (const transaction of input.transactions) assembly.add(transaction);
  return assembly.finish();
}

interface Draft {
  readonly row: RowDraft<TraceRow>;
  readonly seen: TraceTransaction[];
  readonly isWhole: boolean;
  readonly isInScope: boolean;
  readonly mayHaveParent: boolean;
}

class Assembly {
  readonly #memory: TraceMemory;
  readonly #input: TraceInput;
  readonly #drafts = new Map<Hash, Draft>();
  readonly #traceIds = new Map<Hash, Hash>();
  readonly #opened = new Map<Hash, Hash>();
  readonly #closed: Hash[] = [];

  constructor(memory: TraceMemory, input: TraceInput) {
    this.#memory = memory;
    this.#input = input;
  }

  add(transaction: TraceTransaction): void {
    const draft = this.#receive(transaction);
    const { row } = draft;
    const logs = transaction.outMessages.filter(({ destination }) => destination === undefined).length;
    const { length: sent } = transaction.outMessages;
    row.mcSeqnoEnd = this.#input.mcSeqno;
    if (transaction.lt > row.endLt) row.endLt = transaction.lt;
    row.endUtime = Math.max(transaction.now, row.endUtime);
    row.nodes += 1;
    row.edges += logs;
    row.pendingEdges += sent - logs;
    draft.seen.push(transaction);
    this.#traceIds.set(transaction.hash, row.traceId);
    for (const { hash, destination } of transaction.outMessages)
      if (destination !== undefined) this.#opened.set(hash, row.traceId);
  }

  finish(): TraceStep {
    const touched = [...this.#drafts.values()];
    for (const { row } of touched) row.state = stateOf(row);
    return {
      mcSeqno: this.#input.mcSeqno,
      traceIds: this.#traceIds,
      touched,
      openEdges: [...this.#opened].map(([msgHash, traceId]) => ({ msgHash, traceId })),
      closedEdges: this.#closed,
    };
  }

  /** The trace of a transaction; counts the edge that leads to it. */
  #receive(transaction: TraceTransaction): Draft {
    const { inMessage } = transaction;
    if (inMessage === undefined) return this.#begin(transaction, "pending", 0);
    const traceId = this.#close(inMessage.hash);
    if (traceId !== undefined) {
      const draft = this.#find(traceId);
      if (draft === undefined) return this.#begin(transaction, "broken", 1);
      draft.row.edges += 1;
      draft.row.pendingEdges -= 1;
      return draft;
    }
    return isRoot(inMessage) ? this.#begin(transaction, "pending", 1) : this.#begin(transaction, "broken", 0);
  }

  /** The trace that waits for the message; the message is then no longer open. */
  #close(hash: Hash): Hash | undefined {
    const here = this.#opened.get(hash);
    if (here !== undefined) {
      this.#opened.delete(hash);
      return here;
    }
    const before = this.#memory.findEdge(hash);
    if (before !== undefined) this.#closed.push(hash);
    return before;
  }

  #find(traceId: Hash): Draft | undefined {
    const known = this.#drafts.get(traceId);
    if (known !== undefined) return known;
    const open = this.#memory.findTrace(traceId);
    if (open === undefined) return undefined;
    const draft = { ...open, row: { ...open.row }, seen: [...open.seen] };
    this.#drafts.set(traceId, draft);
    return draft;
  }

  #begin({ hash, lt, now, inMessage }: TraceTransaction, state: TraceState, edges: number): Draft {
    const { mcSeqno, normalized, startLt = 0n } = this.#input;
    const row: TraceRow = {
      traceId: hash,
      externalHash: inMessage?.hash,
      externalHashNorm: inMessage === undefined ? undefined : normalized.get(inMessage.hash),
      mcSeqnoStart: mcSeqno,
      mcSeqnoEnd: mcSeqno,
      startLt: lt,
      startUtime: now,
      endLt: lt,
      endUtime: now,
      state,
      edges,
      nodes: 0,
      pendingEdges: 0,
      classificationState: "unclassified",
    };
    const sentBefore = inMessage?.source === systemAccount && (inMessage.createdLt ?? 0n) < startLt;
    const mayHaveParent = state === "pending" && sentBefore;
    const draft = { row, seen: [], isWhole: true, isInScope: false, mayHaveParent };
    this.#drafts.set(hash, draft);
    return draft;
  }
}

/**
 * A message without a sender on the chain: external, from the chain itself, or from nobody in the name of an account,
 * as the owner of a local network sends it.
 */
function isRoot({ source, createdLt = firstBlockLt }: TraceMessage): boolean {
  return source === undefined || source === systemAccount || createdLt < firstBlockLt;
}

function stateOf({ state, pendingEdges }: TraceRow): TraceState {
  if (state === "broken" || pendingEdges < 0) return "broken";
  return pendingEdges === 0 ? "complete" : "pending";
}
