import { expect, it } from "vitest";
import { indexStatus } from "../../../../src/history/ingest/IndexStatus.ts";
import { listMigrations, migrate } from "../../../../src/history/store/schema/migrate.ts";
import { lacksPools, listMissingPools } from "../../../../src/history/store/schema/missingPools.ts";
import { rebuild } from "../../../../src/history/store/write/rebuild.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { enginesOfStatements, openEmpty, quietModules } from "../../../kit/history/database.ts";

it.each(enginesOfStatements)(
  "an index of an older version of the %s engine says which blocks lack pools",
  async (engine) => {
    const database = await openEmpty(engine);
    try {
      await migrate(
        database,
        quietModules,
        listMigrations().filter(({ number }) => number < 13),
      );
      await database.write((session) => session.run("insert into segments values (40, 50), (1, 30), (60, 60)"));
      await migrate(database, quietModules);
      const missing = [
        { firstSeqno: 1, nextSeqno: 30 },
        { firstSeqno: 40, nextSeqno: 50 },
      ];
      expect(await listMissingPools(database)).toEqual(missing);
      expect([1, 29, 30, 39, 40, 49, 50].filter((seqno) => lacksPools(missing, seqno))).toEqual([1, 29, 40, 49]);
      expect((await indexStatus(database, systemClock)).withoutPools).toEqual(missing);
      await rebuild(database, quietModules);
      expect(await listMissingPools(database)).toEqual([]);
    } finally {
      await database.close();
    }
  },
);
