import { masterchain } from "../../../model/block/BlockId.ts";
import { HistoryError } from "../../errors.ts";
import type { RunBlock } from "../../meaning/StateRunner.ts";
import type { DecodedBatch } from "../decode/DecodedBatch.ts";

/** Where get-methods run on the states after a batch. */
export function runBlockOf({ batch, rows }: DecodedBatch, signal: AbortSignal): RunBlock {
  const master = rows.blocks.find(({ workchain }) => workchain === masterchain);
  if (master === undefined)
    throw new HistoryError("history/mismatch", `no masterchain block in batch ${batch.mcSeqno}`);
  const keySeqno = master.keyBlock ? master.seqno : master.prevKeyBlockSeqno;
  return { master: batch.master.id, keySeqno, now: master.genUtime, signal };
}
