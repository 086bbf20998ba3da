import { contractHistory, History } from "../src/history/queries/History.ts";
import { commitBatches } from "../src/history/store/commit.ts";
import type { Database } from "../src/history/store/Database.ts";
import { once, withEmbedded, withPostgres } from "./kit/databases.ts";
import { MadeRows, transactionsInBlock } from "./kit/MadeRows.ts";
import { madeHash, personAt } from "./kit/madeChain.ts";
import { type AskedChain, answer, deepOffset, type Mix, makeHardOnes, makeMix } from "./kit/queryMix.ts";
import { Timings, timed } from "./kit/timings.ts";
import type { BenchContext, Figure } from "./kit.ts";

const group = "v3";
const blocksInCommit = 20;
const rounds = 100;
/** The built-in engine shares one core with everything else, so that filling it takes far longer. */
const mostEmbedded = 100_000;
const wantedMs = 20;

interface Measures {
  readonly bare: Timings;
  readonly each: ReadonlyMap<string, Timings>;
  readonly mix: Timings;
}

/** Fills the tables by the way that blocks take; indexes that only questions need are made when the rows are there. */
async function load(database: Database, transactions: number): Promise<AskedChain> {
  const indexes = await database.query(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and indexname not like '%_pkey' and tablename <> 'nft_items'`,
  );
  for (const { name } of indexes) await database.runAlone(`drop index ${name}`);
  const rows = new MadeRows(transactions);
  const segment = { firstSeqno: 1 };
  const blocks = Math.ceil(transactions / transactionsInBlock);
  for (let seqno = 1; seqno <= blocks; seqno += blocksInCommit) {
    const count = Math.min(blocksInCommit, blocks + 1 - seqno);
    const batches = Array.from({ length: count }, (_, at) => rows.next(seqno + at));
    await commitBatches(database, batches, segment);
  }
  for (const { made } of indexes) await database.runAlone(String(made));
  // What the database does by itself now and then.
  await database.runAlone("vacuum analyze");
  return { accounts: rows.accounts, transactions: rows.count, blocks };
}

/** Where the deep part of the busiest account's list begins: as who goes from page to page is told. */
async function findDeepCursor(history: History): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let at = 0; at < deepOffset; at += 1000) {
    const query = { account: personAt(0), limit: "1000", ...(cursor === undefined ? {} : { cursor }) };
    cursor = (await answer(history, { path: "transactions", query })).next;
  }
  return cursor;
}

async function ask(history: History, mix: Mix, taken: Map<string, Timings>): Promise<void> {
  for (const [name, make] of Object.entries(mix)) {
    const question = make();
    const timings = taken.get(name) ?? new Timings();
    taken.set(name, timings);
    timings.add(await timed(() => answer(history, question)));
  }
}

async function measure(database: Database, transactions: number): Promise<Measures> {
  const chain = await load(database, transactions);
  const history = new History({ ...contractHistory, timeoutMs: 60_000 }, { database });
  const questions = makeMix(chain, await findDeepCursor(history));
  const hard = makeHardOnes(chain, madeHash(8, 0));
  const bare = new Timings();
  const each = new Map<string, Timings>();
  // The first rounds bring what is asked for often into memory, and the engine to its speed.
  for (let round = 0; round < 10; round++) await ask(history, questions, new Map());
  for (let round = 0; round < rounds; round++) {
    bare.add(await timed(() => history.read({}, (reading) => reading.query({ text: "select 1", params: [] }))));
    await ask(history, questions, each);
  }
  const mix = new Timings();
  for (const timings of each.values()) mix.addAll(timings);
  for (let round = 0; round < rounds / 5; round++) await ask(history, hard, each);
  return { bare, each, mix };
}

/** A middle time is compared with a question that asks for nothing, in the same kind of transaction. */
function middle(name: string, run: () => Promise<readonly [bare: Timings, asked: Timings]>): Figure {
  const measureMiddle = async () => {
    const [bare, asked] = await run();
    return { value: asked.percentile(50), ratio: bare.percentile(50) / asked.percentile(50) };
  };
  return {
    ...{ name: `${name}, p50`, group, unit: "ms", baseline: "select 1, as often", mark: undefined },
    measure: measureMiddle,
  };
}

function slowest(name: string, mark: number | undefined, run: () => Promise<Timings>): Figure {
  const measureSlowest = async () => {
    const value = (await run()).percentile(99);
    return { value, ratio: wantedMs / value };
  };
  return { name: `${name}, p99`, group, unit: "ms", baseline: `${wantedMs} ms wanted`, mark, measure: measureSlowest };
}

function figuresOf(where: string, run: () => Promise<Measures>): readonly Figure[] {
  const nothing: AskedChain = {
    accounts: { people: 1, masters: 1, collections: 1, items: 1 },
    transactions: 1,
    blocks: 1,
  };
  const names = Object.keys({ ...makeMix(nothing, undefined), ...makeHardOnes(nothing, "") });
  const timesOf = (name: string) => async () => (await run()).each.get(name) ?? new Timings();
  return [
    middle(`${where}: the mix`, async () => [(await run()).bare, (await run()).mix]),
    slowest(`${where}: the mix`, 1, async () => (await run()).mix),
    ...names.flatMap((name) => [
      middle(`${where}: ${name}`, async () => [(await run()).bare, await timesOf(name)()]),
      slowest(`${where}: ${name}`, undefined, timesOf(name)),
    ]),
  ];
}

/** A million transactions where nothing else is asked for; `TONGATE_BENCH_ROWS` says how many. */
export function figures({ leaveOut }: BenchContext): readonly Figure[] {
  const transactions = Number(process.env.TONGATE_BENCH_ROWS ?? 1_000_000);
  const embedded = Math.min(transactions, mostEmbedded);
  if (embedded < transactions)
    leaveOut(`the built-in database is filled with ${embedded} transactions instead of ${transactions}`);
  return [
    ...figuresOf(
      `PostgreSQL, ${transactions} tx`,
      once(() => withPostgres((database) => measure(database, transactions))),
    ),
    ...figuresOf(
      `built in, ${embedded} tx`,
      once(() => withEmbedded((database) => measure(database, embedded))),
    ),
  ];
}
