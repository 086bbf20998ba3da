import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MadeRows } from "../../../../kit/history/made/MadeRows.ts";
import type { MixedChain } from "../../../../kit/history/queryMix.ts";
import { answer, makeMix } from "../../../../kit/history/queryMix.ts";
import { usePartitions } from "../../../../kit/history/retention/usePartitions.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { listMigrations, migrate } from "../../../../src/history/store/migrate/migrate.ts";
import { commitBatches } from "../../../../src/history/store/write/commit.ts";
import { enginesOfStatements, openEmpty, openFresh, quietModules } from "../../../kit/history/database.ts";

const blocks = 40;
/** The last step before the one that replaces indexes of filled tables. */
const former = 7;
/** Later steps that make columns and tables which the program of today writes and reads. */
const neededSteps = [13, 14];
const isMade = ({ number }: { readonly number: number }) => number <= former || neededSteps.includes(number);

/** The indexes of a database by name, as they are defined. */
async function listIndexes(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query(
    "select indexname::text as name, indexdef::text as made from pg_indexes where schemaname = 'public' order by 1",
  );
  return new Map(rows.map(({ name, made }) => [String(name), String(made)]));
}

describe.each(enginesOfStatements)("a filled database of the %s engine", (engine) => {
  let database: Database;
  let chain: MixedChain;
  beforeAll(async () => {
    database = await openEmpty(engine);
    await migrate(database, quietModules, listMigrations().filter(isMade));
    await usePartitions(database, 16_000_000n);
    const rows = new MadeRows(blocks * 100);
    for (let seqno = 1; seqno <= blocks; seqno++) await commitBatches(database, [rows.next(seqno)], { firstSeqno: 1 });
    chain = { accounts: rows.accounts, transactions: rows.count, blocks };
  });
  afterAll(() => database?.close());

  const askAll = async () => {
    const history = new History(contractHistory, { database });
    const answers: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(makeMix(chain, undefined)))
      answers[name] = JSON.parse((await answer(history, make())).text);
    return answers;
  };

  it("answers as before after it was migrated", async () => {
    const before = await askAll();
    const left = listMigrations().filter((step) => !isMade(step));
    expect(await migrate(database, quietModules)).toEqual(left.map(({ number }) => number));
    expect(await askAll()).toEqual(before);
  });

  it("has the indexes of a new one, in every partition", async () => {
    const fresh = await openFresh(engine);
    try {
      const [made, own] = [await listIndexes(fresh), await listIndexes(database)];
      expect([...made].filter(([name, definition]) => own.get(name) !== definition)).toEqual([]);
      const ofOthers = [...own.keys()].filter((name) => !made.has(name));
      expect(ofOthers.filter((name) => !made.has(name.replace(/_p[1-9][0-9]*/, "_p0")))).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});
