import { accountAnswers } from "./accounts.ts";
import { blockProofAnswers } from "./blockProof.ts";
import { blockAnswers } from "./blocks.ts";
import { blockTransactionAnswers } from "./blockTransactions.ts";
import { configAnswers } from "./config.ts";
import { dispatchQueueAnswers } from "./dispatchQueues.ts";
import type { QueryHandler } from "./kit/AnswerContext.ts";
import { libraryAnswers } from "./libraries.ts";
import { lookupAnswers } from "./lookup.ts";
import { pendingBlockAnswers } from "./pendingBlocks.ts";
import { queueAnswers } from "./queues.ts";
import { runMethodAnswers } from "./runMethod.ts";
import { sendAnswers } from "./send.ts";
import { shardAnswers } from "./shards.ts";
import { statsAnswers } from "./stats.ts";
import { timeAnswers } from "./time.ts";
import { transactionAnswers } from "./transactions.ts";

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
  ...pendingBlockAnswers,
];
