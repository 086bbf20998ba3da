import type { Clock } from "../../../lib/clock.ts";
import { runInTurns } from "../../../lib/sharing/steps.ts";
import { TurnBudget } from "../../../lib/TurnBudget.ts";
import { masterchain } from "../../../model/block/BlockId.ts";
import { HistoryError } from "../../errors.ts";
import type { RunBlock } from "../../meaning/StateRunner.ts";
import type { DecodedBatch } from "../decode/DecodedBatch.ts";
import { decodeAhead } from "../decode/decodeAhead.ts";
import { decodeInSteps } from "../decode/decodeBatch.ts";
import type { BlockBatch } from "../source/BlockBatch.ts";
import type { BlockSource } from "../source/BlockSource.ts";

export interface DecodeModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly clock: Clock;
}

/** The decoded blocks of a range in order; at most `decodedAhead` wait to be taken. */
export function decodeBlocks(
  { source, clock }: DecodeModules,
  { from, to, decodedAhead }: { readonly from: number; readonly to: number | undefined; readonly decodedAhead: number },
  signal: AbortSignal,
): AsyncGenerator<DecodedBatch, void, void> {
  const range = to === undefined ? { from } : { from, to };
  const turns = new TurnBudget(clock);
  const decode = (batch: BlockBatch) => runInTurns(decodeInSteps(batch), () => turns.yieldIfDue());
  return decodeAhead(source.batches(range, signal), decodedAhead, decode);
}

/** Where get-methods run on the states after a batch. */
export function runBlockOf({ batch, rows }: DecodedBatch, signal: AbortSignal): RunBlock {
  const master = rows.blocks.find(({ workchain }) => workchain === masterchain);
  if (master === undefined)
    throw new HistoryError("history/mismatch", `no masterchain block in batch ${batch.mcSeqno}`);
  const keySeqno = master.keyBlock ? master.seqno : master.prevKeyBlockSeqno;
  return { master: batch.master.id, keySeqno, now: master.genUtime, signal };
}
