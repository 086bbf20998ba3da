import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  extendSegment,
  findIndexedRange,
  gapsBetween,
  listSegments,
  takeSegment,
} from "../../../src/history/store/checkpoint.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { checkNetwork, claimNetwork, findFact, setFact } from "../../../src/history/store/facts.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { engines, openFresh } from "../../kit/database.ts";
import { emptyAll } from "../../kit/databaseRows.ts";

const segment = (firstSeqno: number, nextSeqno: number) => ({ firstSeqno, nextSeqno });

describe("gaps", () => {
  it.each([
    [[], [{ from: 2, to: 10 }]],
    [[segment(2, 10)], []],
    [[segment(0, 20)], []],
    [[segment(0, 1), segment(30, 40)], [{ from: 2, to: 10 }]],
    [
      [segment(4, 6)],
      [
        { from: 2, to: 4 },
        { from: 6, to: 10 },
      ],
    ],
    [
      [segment(6, 8), segment(0, 4), segment(4, 4)],
      [
        { from: 4, to: 6 },
        { from: 8, to: 10 },
      ],
    ],
    [[segment(2, 5), segment(5, 12)], []],
  ])("between the blocks 2 and 10 of %j are %j", (known, gaps) => {
    expect(gapsBetween(known, 2, 10)).toEqual(gaps);
  });
});

describe.each(engines)("checkpoints in the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterEach(() => emptyAll(database));
  afterAll(() => database.close());

  const take = (firstSeqno: number) => database.write((session) => takeSegment(session, firstSeqno));
  const reach = (firstSeqno: number, nextSeqno: number) =>
    database.write(async (session) => extendSegment(session, await takeSegment(session, firstSeqno), nextSeqno));

  it("tell the first and the last block that is indexed", async () => {
    expect(await findIndexedRange(database)).toBeUndefined();
    await take(50);
    expect(await findIndexedRange(database)).toBeUndefined();
    await reach(50, 60);
    await reach(5, 8);
    expect(await findIndexedRange(database)).toEqual({ firstSeqno: 5, lastSeqno: 59 });
    expect(await listSegments(database)).toEqual([segment(5, 8), segment(50, 60)]);
  });

  it("find a segment by where it began, also after it was joined with an earlier one", async () => {
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

  it("note facts, the last word counting", async () => {
    expect(await findFact(database, "a")).toBeUndefined();
    await database.write((session) => setFact(session, "a", "1"));
    await database.write((session) => setFact(session, "a", "2"));
    expect(await findFact(database, "a")).toBe("2");
  });

  it("keep an index to one network", async () => {
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
