import { loadavg } from "node:os";
import { madeHash, personAt } from "../kit/history/made/madeChain.ts";
import { answer, deepOffset, type Mix, type MixedChain, makeHardOnes, makeMix } from "../kit/history/queryMix.ts";
import { contractHistory, History } from "../src/history/queries/kit/History.ts";
import type { Database } from "../src/history/store/Database.ts";
import type { BenchContext, Benchmark } from "./kit/benchmark.ts";
import { largeServer, once, withEmbedded, withPostgres } from "./kit/databases.ts";
import { loadMadeChain } from "./kit/loadMadeChain.ts";
import { Timings, timed } from "./kit/timings.ts";

const group = "v3";
const rounds = 100;
/** The embedded engine shares one core with everything else, so filling it takes much longer. */
const maxEmbedded = 100_000;
const wantedMs = 20;
const say = (line: string) => process.stderr.write(`v3Queries: ${line}\n`);

interface Measures {
  readonly bare: Timings;
  readonly each: ReadonlyMap<string, Timings>;
  readonly mix: Timings;
}

/** The cursor of the deep page of the busiest account's list, found page by page. */
async function findDeepCursor(history: History, chain: MixedChain): Promise<string | undefined> {
  let cursor: string | undefined;
  const limit = Math.min(1000, deepOffset(chain));
  for (let at = 0; at < deepOffset(chain); at += limit) {
    const query = { account: personAt(0), limit: String(limit), ...(cursor === undefined ? {} : { cursor }) };
    cursor = (await answer(history, { path: "transactions", query })).next;
  }
  return cursor;
}

async function ask(history: History, mix: Mix, taken: Map<string, Timings>): Promise<void> {
  for (const [name, make] of Object.entries(mix)) {
    const request = make();
    const timings = taken.get(name) ?? new Timings();
    taken.set(name, timings);
    timings.add(await timed(() => answer(history, request)));
  }
}

async function measure(database: Database, transactions: number): Promise<Measures> {
  const startedAt = performance.now();
  const chain = await loadMadeChain(database, { transactions, say });
  say(`loaded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; requests are asked`);
  const history = new History({ ...contractHistory, timeoutMs: 60_000 }, { database });
  const requests = makeMix(chain, await findDeepCursor(history, chain));
  const hard = makeHardOnes(chain, madeHash(8, 0));
  const bare = new Timings();
  const each = new Map<string, Timings>();
  // The first rounds fill the caches and warm up the engine.
  for (let round = 0; round < 10; round++) await ask(history, requests, new Map());
  for (let round = 0; round < rounds; round++) {
    bare.add(await timed(() => history.read({}, (reading) => reading.query({ text: "select 1", params: [] }))));
    await ask(history, requests, each);
  }
  const mix = new Timings();
  for (const timings of each.values()) mix.addAll(timings);
  const [load = Number.NaN] = loadavg();
  say(`all were asked; the load average of the machine is ${load.toFixed(1)}`);
  for (let round = 0; round < rounds / 5; round++) await ask(history, hard, each);
  return { bare, each, mix };
}

/** Compares a median time with an empty query in the same kind of transaction. */
function middle(name: string, run: () => Promise<readonly [bare: Timings, asked: Timings]>): Benchmark {
  const measureMiddle = async () => {
    const [bare, asked] = await run();
    return { value: asked.percentile(50), ratio: bare.percentile(50) / asked.percentile(50) };
  };
  return {
    ...{ name: `${name}, p50`, group, unit: "ms", baseline: "select 1, as often", mark: undefined },
    measure: measureMiddle,
  };
}

function slowest(name: string, mark: number | undefined, run: () => Promise<Timings>): Benchmark {
  const measureSlowest = async () => {
    const value = (await run()).percentile(99);
    return { value, ratio: wantedMs / value };
  };
  return { name: `${name}, p99`, group, unit: "ms", baseline: `${wantedMs} ms wanted`, mark, measure: measureSlowest };
}

function figuresOf(where: string, mark: number | undefined, run: () => Promise<Measures>): readonly Benchmark[] {
  const nothing: MixedChain = {
    accounts: { people: 1, masters: 1, collections: 1, items: 1 },
    transactions: 1,
    blocks: 1,
  };
  const names = Object.keys({ ...makeMix(nothing, undefined), ...makeHardOnes(nothing, "") });
  const timesOf = (name: string) => async () => (await run()).each.get(name) ?? new Timings();
  return [
    middle(`${where}: the mix`, async () => [(await run()).bare, (await run()).mix]),
    slowest(`${where}: the mix`, mark, async () => (await run()).mix),
    ...names.flatMap((name) => [
      middle(`${where}: ${name}`, async () => [(await run()).bare, await timesOf(name)()]),
      slowest(`${where}: ${name}`, undefined, timesOf(name)),
    ]),
  ];
}

/** One million transactions by default; `TONGATE_BENCH_ROWS` changes it. */
export function benchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  const transactions = Number(process.env.TONGATE_BENCH_ROWS ?? 1_000_000);
  const embedded = Math.min(transactions, maxEmbedded);
  if (embedded < transactions)
    leaveOut(`the built-in database is filled with ${embedded} transactions instead of ${transactions}`);
  return [
    ...figuresOf(
      `PostgreSQL, ${transactions} tx`,
      1,
      once(() => withPostgres((database) => measure(database, transactions), largeServer)),
    ),
    ...figuresOf(
      `built in, ${embedded} tx`,
      undefined,
      once(() => withEmbedded((database) => measure(database, embedded))),
    ),
  ];
}
