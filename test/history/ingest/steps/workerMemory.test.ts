import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareMemory } from "../../../../src/history/ingest/steps/workerMemory.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { readAll } from "../../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../../kit/history/indexStage.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

const noEnd = new AbortController().signal;

describe("the memory of a worker", () => {
  let stage: IndexStage;
  let database: Database;
  beforeAll(async () => {
    stage = await openIndexStage(importSplitChain());
    database = await openFresh("postgres");
  });
  afterAll(async () => {
    await database.close();
    await stage.close();
  });

  it("is divided completely", () => {
    const shares = Object.values(shareMemory(96 << 20));
    expect(shares.reduce((sum, bytes) => sum + bytes, 0)).toBe(96 << 20);
  });

  it("does not affect the tables", async () => {
    await stage.indexer({}).run(noEnd);
    // Commits block by block, so that each finds the results of the previous one in the tables.
    await stage.indexer({ memoryBytes: 0, maxRows: 1 }, { database }).run(noEnd);
    expect(await readAll(database)).toEqual(await readAll(stage.database));
  });
});
