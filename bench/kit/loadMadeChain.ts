import { MadeRows, transactionsInBlock } from "../../kit/history/made/MadeRows.ts";
import type { MixedChain } from "../../kit/history/queryMix.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { commitBatches } from "../../src/history/store/write/commit.ts";
import { rowWrites } from "../../src/history/store/write/rowWrites.ts";

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

/** An index or key that is dropped before the load and created again after it, which is much faster. */
interface Extra {
  readonly drop: string;
  readonly make: string;
}

/** Fills the tables with the same code as blocks; indexes that only requests need are created afterwards. */
export async function loadMadeChain(database: Database, { transactions, say }: Loading): Promise<MixedChain> {
  const extras = await listExtras(database);
  for (const { drop } of extras) await database.runAlone(drop);
  const chain = await fill(database, { transactions, say });
  say(`creating ${extras.length} indexes`);
  for (const { make } of extras) await database.runAlone(make);
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

/**
 * Indexes and keys that commits do not need: commits look up item owners, messages and rows by key. Partitions follow
 * their tables.
 */
async function listExtras(database: Database): Promise<readonly Extra[]> {
  const indexes = await database.query(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and indexname not like '%_pkey' and tablename <> 'nft_items'
       and indexname <> 'messages_by_hash' and tablename not in (select relname from pg_class where relispartition)
       and indexname not in (select conname from pg_constraint)`,
  );
  const onceWritten = rowWrites
    .filter(({ table }) => table.conflict.onConflict === undefined)
    .map(({ table }) => table.name);
  const keys = await database.query(
    `select conname as name, conrelid::regclass::text as "table", pg_get_constraintdef(oid) as made
     from pg_constraint where contype = 'p' and conrelid::regclass::text = any($1::text[])`,
    [onceWritten],
  );
  return [
    ...indexes.map(({ name, made }) => ({
      drop: `drop index ${name}`,
      make: String(made).replace(" ON ONLY ", " ON "),
    })),
    ...keys.map(({ name, table, made }) => ({
      drop: `alter table ${table} drop constraint ${name}`,
      make: `alter table ${table} add constraint ${name} ${made}`,
    })),
  ];
}
