import { blockIdToTl } from "../../lite/queries/ids.ts";
import { getNonfinalPendingShardBlocks } from "../../lite/tl/liteQueries.ts";
import { shardsIntersect } from "../../model/block/BlockId.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { refusal, refusalCode } from "./kit/refusal.ts";

interface PendingArgs {
  readonly wc?: number | undefined;
  readonly shard?: bigint | undefined;
}

/**
 * Only servers that are configured to report non-final blocks answer. Candidates are not signed: there are none here.
 */
function answerPending({ ledger, reportsPending }: AnswerContext, { wc, shard = 0n }: PendingArgs) {
  if (!reportsPending) throw refusal(refusalCode.plain, "query is not allowed");
  const asked = BigInt.asUintN(64, shard);
  const signed = ledger.pending
    .list()
    .filter(({ id }) => wc === undefined || (wc === id.workchain && asked !== 0n && shardsIntersect(asked, id.shard)));
  return { signedBlocks: signed.map(({ id }) => blockIdToTl(id)), candidates: [] };
}

export const pendingBlockAnswers: readonly QueryHandler[] = [
  queryHandler(getNonfinalPendingShardBlocks, answerPending),
];
