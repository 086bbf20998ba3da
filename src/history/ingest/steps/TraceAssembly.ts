import { applyDecisions, type TraceDecisions } from "../../scope/decideTraces.ts";
import type { Database } from "../../store/Database.ts";
import type { Segment } from "../../store/schema/checkpoint.ts";
import { beginsFact, findFact } from "../../store/schema/indexFacts.ts";
import type { IndexExtent } from "../../store/write/commit.ts";
import { type DecodedBatch, normalizedOf, startOf } from "../decode/DecodedBatch.ts";
import { weighBlocks } from "../source/BlockBatch.ts";
import { assembleTraces } from "../traces/assembleTraces.ts";
import { loadTraceMemory, TraceMemory, type TraceStep } from "../traces/TraceMemory.ts";

/** How many transactions of open traces are remembered, for how many blocks, and how heavy these may be. */
export interface TraceMemoryLimits {
  readonly rememberedTransactions: number;
  readonly rememberedBlocks: number;
  readonly traceBytes: number;
}

/** Assembles traces from block to block. */
export class TraceAssembly {
  readonly #limits: TraceMemoryLimits;
  #memory = new TraceMemory();
  /** Weight of the last blocks, the newest last. */
  #weights: { readonly seqno: number; readonly bytes: number }[] = [];

  constructor(limits: TraceMemoryLimits) {
    this.#limits = limits;
  }

  /** Reads the open traces of a segment; returns where history began then. */
  async load(database: Pick<Database, "query">, segment: Segment): Promise<IndexExtent> {
    // First, so that a removal between the two statements is noticed.
    const begins = await findFact(database, beginsFact);
    this.#memory = await loadTraceMemory(database, segment);
    return { begins };
  }

  /** What a block changes in traces; `apply` makes it known to the next block. */
  assemble(decoded: DecodedBatch): TraceStep {
    const { batch, transactions } = decoded;
    const { mcSeqno } = batch;
    this.#weights.push({ seqno: mcSeqno, bytes: weighBlocks(batch) });
    return assembleTraces(this.#memory, {
      mcSeqno,
      transactions: transactions.map(({ seen }) => seen),
      normalized: normalizedOf(decoded),
      startLt: startOf(decoded),
    });
  }

  /** Applies the changes of a block as they were decided, and returns them. */
  apply(step: TraceStep, decisions: TraceDecisions | undefined): TraceStep {
    const decided = decisions === undefined ? step : applyDecisions(step, decisions, this.#memory);
    this.#memory.apply(decided);
    return decided;
  }

  /** Forgets transactions beyond the limits; blocks before the next commit are in the tables. */
  trim(nextSeqno: number): void {
    const { rememberedTransactions: max } = this.#limits;
    this.#memory.trim({ max, sinceSeqno: this.#firstRemembered(nextSeqno), storedBefore: nextSeqno });
  }

  /** The first block whose traces are remembered: blocks from there on must fit in memory. */
  #firstRemembered(nextSeqno: number): number {
    const { rememberedBlocks, traceBytes } = this.#limits;
    let bytes = 0;
    const tooMuch = this.#weights.findLastIndex((weight) => {
      bytes += weight.bytes;
      return bytes > traceBytes;
    });
    this.#weights = this.#weights.slice(tooMuch + 1).slice(-rememberedBlocks);
    return Math.max(nextSeqno - rememberedBlocks, this.#weights[0]?.seqno ?? nextSeqno);
  }
}
