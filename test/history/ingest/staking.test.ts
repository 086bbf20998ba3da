import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dnsEntries } from "../../../src/history/entities/dnsEntries.ts";
import { nominatorPools } from "../../../src/history/entities/nominatorPools.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { nominatorPoolEvents, poolValidatorEvents } from "../../../src/history/store/schema/poolTables.ts";
import type { Table } from "../../../src/history/store/schema/Table.ts";
import { electionTables, validatorEvents } from "../../../src/history/store/schema/validatorTables.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { enginesOfTables, openFresh } from "../../kit/history/database.ts";
import { readTable } from "../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";

const never = new AbortController().signal;
const others = enginesOfTables.filter((engine) => engine !== "postgres");
/** Every row is the same in whatever parts the blocks are indexed. */
const exact: readonly unknown[] = [
  ...[dnsEntries, nominatorPools, nominatorPoolEvents, poolValidatorEvents, validatorEvents],
  ...[electionTables.cycles, electionTables.members, electionTables.suspended],
];
/** A part begins with all of an election, hence the block that is noted may be a later one. */
const { elections, participants, complaints } = electionTables;
const noted: readonly unknown[] = [elections, participants, complaints];

let kit: ChainKit;
let stage: IndexStage;
beforeAll(async () => {
  kit = await openChainKit();
  const { net } = await kit.open();
  await playDemo(net, makeDemo(net.keys));
  stage = await openIndexStage(net.ledger, await openFresh("postgres"));
  await stage.indexer({}).run(never);
});
afterAll(async () => {
  await stage?.close();
  await kit?.close();
});

const readAll = (from: Database, tables: readonly unknown[]) =>
  Promise.all(tables.map((table) => readTable(from, table as Table)));

describe("the pool, the elections and the auction of the demo set", () => {
  it("have rows in every table", async () => {
    const rows = await readAll(stage.database, [...exact, ...noted]);
    expect(rows.map(({ length }) => length > 0)).toEqual(rows.map(() => true));
    const [entries = []] = rows;
    expect(entries.some((entry) => "maxBidAmount" in entry && entry.maxBidAmount !== undefined)).toBe(true);
  });

  it.each(others)("have the same rows in the %s engine", async (engine) => {
    const database = await openFresh(engine);
    try {
      await stage.indexer({}, { database }).run(never);
      expect(await dumpIndex(database)).toEqual(await dumpIndex(stage.database));
    } finally {
      await database.close();
    }
  });

  it("have the same rows when several workers fill ranges of the index", async () => {
    const database = await openFresh("postgres");
    try {
      await stage.indexer({ maxBehind: 8, backfillers: 3, rangeBlocks: 6 }, { database }).run(never);
      expect(await readAll(database, exact)).toEqual(await readAll(stage.database, exact));
      const withoutBlock = async (from: Database) =>
        (await readAll(from, noted)).map((rows) => rows.map((row) => ({ ...row, mcSeqno: undefined })));
      expect(await withoutBlock(database)).toEqual(await withoutBlock(stage.database));
    } finally {
      await database.close();
    }
  });

  // An index of the demo set without changes is compared in verifySample.test.ts.
  it("are compared with the chain when the index is verified", async () => {
    const modules = { ...stage.modules, network: "testnet", random: seededRandom("verify") } as const;
    const options = { count: 10_000, accountsPerBlock: 10_000, tracesPerBlock: 0 };
    await stage.database.write((session) =>
      session.run(`update nominator_pool_events set amount = amount + 1 where type = 'reward';
        update pool_validator_events set query_id = 77 where type = 'penalty';
        update nominator_pools set nominators_count = 7;
        update dns_entries set max_bid_amount = 1 where max_bid_amount is not null`),
    );
    const { differences } = await verifySample(modules, options, never);
    const found = new Set(differences.map(({ kind, table, columns }) => [kind, table, ...columns].join(" ")));
    expect([...found].sort()).toEqual([
      "different dns_entries maxBidAmount",
      "different nominator_pool_events amount",
      "different nominator_pools nominatorsCount",
      "different pool_validator_events queryId",
    ]);
  });
});
