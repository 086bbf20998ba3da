import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinSegments } from "../../../../src/history/ingest/joinSegments.ts";
import { dropOld } from "../../../../src/history/retention/dropOld.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { listSegments } from "../../../../src/history/store/schema/checkpoint.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import { commitBatch } from "../../../kit/history/commitBatch.ts";
import { enginesOfStatements, enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import { batchOf, emptyAll, readTable, rowOf } from "../../../kit/history/databaseRows.ts";
import { narrowPartitions, narrowWidth } from "../../../kit/history/retention/narrowPartitions.ts";

const message = rowOf(tables.messages, 3, { createdLt: undefined, createdAt: undefined });
/** A block whose first transaction receives the message. */
const blockAt = (mcSeqno: number) => {
  const startLt = BigInt(mcSeqno) * 100n;
  const block = rowOf(tables.blocks, mcSeqno, { workchain: -1, seqno: mcSeqno, mcBlockSeqno: mcSeqno });
  return batchOf(mcSeqno, {
    blocks: [{ ...block, startLt, endLt: startLt + 9n }],
    messages: [{ ...message, lt: startLt + 1n }],
  });
};

describe.each(enginesOfStatements)("an external message that several blocks receive (%s)", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterAll(() => database?.close());

  const readMessages = () => readTable(database, tables.messages);
  const first = [{ ...message, lt: 101n }];

  it("has the row of its first receiver", async () => {
    for (const seqno of [1, 2, 3]) await commitBatch(database, blockAt(seqno), { firstSeqno: 1 });
    expect(await readMessages()).toEqual(first);
  });

  it.each([
    { later: [3, 4], earlier: [1, 2] },
    { later: [2, 3, 4], earlier: [1] },
    { later: [4], earlier: [1, 2, 3] },
  ])("has it, too, when blocks $later were indexed before $earlier", async ({ later, earlier }) => {
    await emptyAll(database);
    for (const part of [later, earlier])
      for (const seqno of part) await commitBatch(database, blockAt(seqno), { firstSeqno: part[0] ?? 0 });
    const [before, after] = await listSegments(database);
    if (before === undefined || after === undefined) throw new Error("two segments were to be made");
    await database.write((session) => joinSegments(session, before, after));
    expect(await readMessages()).toEqual(first);
  });
});

describe.each(enginesOfTables)(
  "an external message that is received again after the removed history (%s)",
  (engine) => {
    let database: Database;
    beforeAll(async () => {
      database = await openFresh(engine);
      await narrowPartitions(database);
    });
    afterAll(() => database?.close());

    const ltOf = (seqno: number) => BigInt(seqno) * narrowWidth + 1n;
    const timeOf = (seqno: number) => 1_700_000_000 + seqno;
    const once = rowOf(tables.messages, 4, { createdLt: undefined, createdAt: undefined });
    /** A block in a partition of its own, whose transactions receive these messages. */
    const blockOf = (mcSeqno: number, messages: readonly (typeof message)[]) => {
      const startLt = BigInt(mcSeqno) * narrowWidth;
      const block = rowOf(tables.blocks, mcSeqno, { workchain: -1, seqno: mcSeqno, mcBlockSeqno: mcSeqno });
      const lt = ltOf(mcSeqno);
      const transactions = messages.map(({ hash }, i) =>
        rowOf(tables.transactions, mcSeqno * 10 + i, { lt, mcBlockSeqno: mcSeqno, inMsgHash: hash }),
      );
      return batchOf(mcSeqno, {
        blocks: [{ ...block, startLt, endLt: startLt + 9n, genUtime: timeOf(mcSeqno) }],
        messages: messages.map((each) => ({ ...each, lt })),
        transactions,
      });
    };

    it("has the row of the first receiver that is left", async () => {
      const received = [[message, once], [], [message], [message]] as const;
      for (const [i, messages] of received.entries())
        await commitBatch(database, blockOf(i + 1, messages), { firstSeqno: 1 });
      const read = async () => (await readTable(database, tables.messages)).map(({ lt, hash }) => [lt, hash]);
      expect(new Set(await read())).toEqual(new Set([message, once].map(({ hash }) => [ltOf(1), hash])));
      expect(await dropOld(database, timeOf(2))).toBe(2);
      expect(await readTable(database, tables.messages)).toEqual([{ ...message, lt: ltOf(3) }]);
      expect(await dropOld(database, timeOf(4))).toBe(4);
      expect(await readTable(database, tables.messages)).toEqual([{ ...message, lt: ltOf(4) }]);
    });
  },
);
