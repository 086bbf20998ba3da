import { getNonfinalPendingShardBlocks } from "../../lite/tl/liteQueries.ts";
import { accountAnswers } from "./accounts.ts";
import { blockProofAnswers } from "./blockProof.ts";
import { blockAnswers } from "./blocks.ts";
import { blockTransactionAnswers } from "./blockTransactions.ts";
import { configAnswers } from "./config.ts";
import { dispatchQueueAnswers } from "./dispatchQueues.ts";
import { type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { refusal, refusalCode } from "./kit/refusal.ts";
import { libraryAnswers } from "./libraries.ts";
import { lookupAnswers } from "./lookup.ts";
import { queueAnswers } from "./queues.ts";
import { runMethodAnswers } from "./runMethod.ts";
import { sendAnswers } from "./send.ts";
import { shardAnswers } from "./shards.ts";
import { statsAnswers } from "./stats.ts";
import { timeAnswers } from "./time.ts";
import { transactionAnswers } from "./transactions.ts";

/** Only validators that are configured to report non-final blocks answer these. */
const nonfinal = queryHandler(getNonfinalPendingShardBlocks, () => {
  throw refusal(refusalCode.plain, "query is not allowed");
});

/** The handlers of all queries of the schema. */
export const queryHandlers: readonly QueryHandler[] = [
  ...timeAnswers,
  ...blockAnswers,
  ...lookupAnswers,
  ...shardAnswers,
  ...accountAnswers,
  ...transactionAnswers,
  ...blockTransactionAnswers,
  ...blockProofAnswers,
  ...configAnswers,
  ...statsAnswers,
  ...libraryAnswers,
  ...queueAnswers,
  ...dispatchQueueAnswers,
  ...runMethodAnswers,
  ...sendAnswers,
  nonfinal,
];
