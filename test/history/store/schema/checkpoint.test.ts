import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { extendSegment, listSegments, takeSegment } from "../../../../src/history/store/schema/checkpoint.ts";
import { checkNetwork, claimNetwork, findFact, setFact } from "../../../../src/history/store/schema/indexFacts.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import { emptyAll } from "../../../kit/history/databaseRows.ts";

const segment = (firstSeqno: number, nextSeqno: number) => ({ firstSeqno, nextSeqno });

describe.each(enginesOfTables)("checkpoints in the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterEach(() => emptyAll(database));
  afterAll(() => database.close());

  const take = (firstSeqno: number) => database.write((session) => takeSegment(session, firstSeqno));
  const reach = (firstSeqno: number, nextSeqno: number) =>
    database.write(async (session) => extendSegment(session, await takeSegment(session, firstSeqno), nextSeqno));

  it("are listed by their start, including empty ones", async () => {
    expect(await listSegments(database)).toEqual([]);
    await take(50);
    expect(await listSegments(database)).toEqual([segment(50, 50)]);
    await reach(50, 60);
    await reach(5, 8);
    expect(await listSegments(database)).toEqual([segment(5, 8), segment(50, 60)]);
  });

  it("find a segment by its start, also after it was joined with an earlier one", async () => {
    await reach(5, 8);
    expect(await take(8)).toEqual(segment(8, 8));
    await reach(8, 12);
    expect(await take(5)).toEqual(segment(5, 8));
    await database.write(async (session) => {
      await session.query("delete from segments where first_seqno = 8");
      await extendSegment(session, segment(5, 8), 12);
    });
    expect(await take(8)).toEqual(segment(5, 12));
  });

  it("store facts; the last one counts", async () => {
    expect(await findFact(database, "a")).toBeUndefined();
    await database.write((session) => setFact(session, "a", "1"));
    await database.write((session) => setFact(session, "a", "2"));
    expect(await findFact(database, "a")).toBe("2");
  });

  it("restrict an index to one network", async () => {
    const [own, other] = ["a".repeat(64) as Hash, "b".repeat(64) as Hash];
    await checkNetwork(database, other);
    await claimNetwork(database, own);
    await claimNetwork(database, own);
    await checkNetwork(database, own);
    const refusal = { code: "history/foreign", data: { known: own, zeroState: other } };
    await expect(claimNetwork(database, other)).rejects.toMatchObject(refusal);
    await expect(checkNetwork(database, other)).rejects.toMatchObject(refusal);
  });
});
