import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexStatus } from "../../../../src/history/ingest/IndexStatus.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { beginsFact, setFact } from "../../../../src/history/store/schema/indexFacts.ts";
import { listMigrations, migrate } from "../../../../src/history/store/schema/migrate.ts";
import { listMissingElections } from "../../../../src/history/store/schema/missingElections.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { engines, openEmpty, quietModules } from "../../../kit/history/database.ts";

describe.each(engines)("an index of an older version in the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openEmpty(engine);
    await migrate(
      database,
      quietModules,
      listMigrations().filter(({ number }) => number < 12),
    );
    await database.write((session) => session.run("insert into segments values (1, 100), (200, 200), (300, 350)"));
    await migrate(database, quietModules);
  });
  afterAll(() => database.close());

  it("lacks the elections of its blocks once it is migrated, and reports it", async () => {
    const ranges = [
      { firstSeqno: 1, nextSeqno: 100 },
      { firstSeqno: 300, nextSeqno: 350 },
    ];
    expect(await listMissingElections(database)).toEqual(ranges);
    expect((await indexStatus(database, systemClock)).withoutValidators).toEqual(ranges);
  });

  it("does not report what was removed because it is old", async () => {
    await database.write((session) => setFact(session, beginsFact, "320"));
    const { withoutValidators } = await indexStatus(database, systemClock);
    expect(withoutValidators).toEqual([{ firstSeqno: 320, nextSeqno: 350 }]);
  });
});

describe("a new index", () => {
  it("lacks nothing", async () => {
    const database = await openEmpty("postgres");
    await migrate(database, quietModules);
    expect(await listMissingElections(database)).toEqual([]);
    await database.close();
  });
});
