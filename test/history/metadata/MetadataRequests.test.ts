import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MetadataRequests } from "../../../src/history/metadata/MetadataRequests.ts";
import { takeDue } from "../../../src/history/metadata/metadataRows.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { addressMetadata } from "../../../src/history/store/schema/serviceTables.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { enginesOfTables, openFresh, quietModules } from "../../kit/history/database.ts";
import { loadRows } from "../../kit/history/loadRows.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const [fetched, missing] = [makeAddress(0, sameDigits("a")), makeAddress(0, sameDigits("b"))];
const patience = { timeout: 300_000, interval: 100 };

describe.each(enginesOfTables)("tokens that a process without an indexer wants, in %s", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterAll(() => database?.close());

  it("are due for the process that fetches documents, unless it has fetched them", async () => {
    const none = { description: undefined, symbol: undefined, image: undefined, extra: undefined };
    const row = { ...none, address: fetched, type: "nft_items" as const, valid: true, name: "name", attempts: 1 };
    await database.write((session) =>
      loadRows(session, addressMetadata, [{ ...row, updatedAt: 1, expiresAt: undefined, nextAttemptAt: undefined }]),
    );
    const clock = new ManualClock();
    const wanted = new MetadataRequests({ database, ...quietModules, clock });
    wanted.want([
      { address: fetched, type: "nft_items" },
      { address: missing, type: "jetton_masters" },
      { address: missing, type: "jetton_wallets" },
    ]);
    await clock.advance(1_000);
    const count = async () =>
      Number((await database.query("select count(*) as count from address_metadata"))[0]?.count);
    await expect.poll(count, patience).toBe(2);
    await wanted.close();
    const now = Math.ceil(clock.now() / 1000);
    expect(await takeDue(database, { now, takenUntil: now + 60, max: 10 })).toEqual([
      { address: missing, type: "jetton_masters" },
    ]);
  });
});
