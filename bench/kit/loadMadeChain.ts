import { MadeRows, transactionsInBlock } from "../../kit/history/made/MadeRows.ts";
import type { MixedChain } from "../../kit/history/queryMix.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { commitBatches } from "../../src/history/store/write/commit.ts";
import { dropExtras } from "./extras.ts";

const blocksInCommit = 100;
const segment = { firstSeqno: 1 };
/** Interval of progress lines. */
const sayEveryMs = 5_000;

/** How to fill a database. */
export interface Loading {
  readonly transactions: number;
  /** Called for each stage and regularly with progress. */
  say(line: string): void;
}

/** Fills the tables with the same code as blocks; indexes that only requests need are created afterwards. */
export async function loadMadeChain(database: Database, { transactions, say }: Loading): Promise<MixedChain> {
  const makeAgain = await dropExtras(database, "forCommits");
  const chain = await fill(database, { transactions, say });
  say("creating indexes");
  await makeAgain();
  // The database does this by itself from time to time.
  say("vacuum and analyze");
  await database.runAlone("vacuum analyze");
  return chain;
}

/** Makes the rows of the next blocks while the database writes the previous ones. */
async function fill(database: Database, { transactions, say }: Loading): Promise<MixedChain> {
  const rows = new MadeRows(transactions);
  const blocks = Math.ceil(transactions / transactionsInBlock);
  const startedAt = performance.now();
  let saidAt = startedAt;
  let committing: Promise<unknown> = Promise.resolve();
  for (let seqno = 1; seqno <= blocks; seqno += blocksInCommit) {
    const count = Math.min(blocksInCommit, blocks + 1 - seqno);
    const batches = Array.from({ length: count }, (_, at) => rows.next(seqno + at));
    await committing;
    committing = commitBatches(database, batches, segment);
    const now = performance.now();
    if (now - saidAt < sayEveryMs) continue;
    saidAt = now;
    const rate = (rows.count * 1000) / (now - startedAt);
    say(`${rows.count} of ${transactions} transactions, ${rate.toFixed(0)} a second`);
  }
  await committing;
  return { accounts: rows.accounts, transactions: rows.count, blocks };
}
