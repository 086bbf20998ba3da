import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexStatus } from "../../../../src/history/ingest/IndexStatus.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { listMigrations, migrate } from "../../../../src/history/store/migrate/migrate.ts";
import { rebuild } from "../../../../src/history/store/migrate/rebuild.ts";
import { beginsFact, setFact } from "../../../../src/history/store/schema/indexFacts.ts";
import { isMissing, listMissing } from "../../../../src/history/store/schema/missingParts.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { enginesOfStatements, openEmpty, quietModules } from "../../../kit/history/database.ts";

/** The migration that made the tables of each part, and where the status shows it. */
const parts = [
  ["validators", 12, "withoutValidators"],
  ["pools", 13, "withoutPools"],
] as const;
const ranges = [
  { firstSeqno: 1, nextSeqno: 30 },
  { firstSeqno: 40, nextSeqno: 50 },
];

describe.each(enginesOfStatements)("an index of an older version in the %s engine", (engine) => {
  describe.each(parts)("lacks %s", (part, step, shown) => {
    let database: Database;
    beforeAll(async () => {
      database = await openEmpty(engine);
      const former = listMigrations().filter(({ number }) => number < step);
      await migrate(database, quietModules, former);
      await database.write((session) => session.run("insert into segments values (40, 50), (1, 30), (60, 60)"));
      await migrate(database, quietModules);
    });
    afterAll(() => database?.close());

    it("of its blocks once it is migrated, and reports it", async () => {
      expect(await listMissing(database, part)).toEqual(ranges);
      expect((await indexStatus(database, systemClock))[shown]).toEqual(ranges);
    });

    it("and does not report blocks that were removed because they are old", async () => {
      await database.write((session) => setFact(session, beginsFact, "45"));
      expect((await indexStatus(database, systemClock))[shown]).toEqual([{ firstSeqno: 45, nextSeqno: 50 }]);
    });

    it("no longer after a rebuild", async () => {
      await rebuild(database, quietModules);
      expect(await listMissing(database, part)).toEqual([]);
    });
  });
});

it("a block is missing from its first to its last range", () => {
  expect([1, 29, 30, 39, 40, 49, 50].filter((seqno) => isMissing(ranges, seqno))).toEqual([1, 29, 40, 49]);
});
