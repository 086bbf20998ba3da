import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealPartition } from "../../../../../src/history/seal/sealPartition.ts";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../../../../src/history/store/migrate/migrate.ts";
import { canSeal, partitionWeight, weighPartitions } from "../../../../../src/history/store/schema/partitionWeight.ts";
import { systemClock } from "../../../../../src/lib/clock.ts";
import { withDeadline } from "../../../../../src/lib/deadline.ts";
import { freshUrl, quietModules } from "../../../../kit/history/database.ts";
import { openTransactionPooler, type TransactionPooler } from "../../../../kit/history/postgres/transactionPooler.ts";

/** The setting, as the next transaction of whichever client finds it. */
const readOnly = "select current_setting('default_transaction_read_only') as value, current_schema() as schema";

describe.each([undefined, "of_its_own"])("behind a pooler of transactions, in schema %s", (schema) => {
  let pooler: TransactionPooler;
  const opened: Database[] = [];
  async function open(): Promise<Database> {
    const database = await openPostgres(pooler.url, quietModules, { schema, readers: 4 });
    opened.push(database);
    return database;
  }

  beforeAll(async () => {
    pooler = await openTransactionPooler(await freshUrl(), 6);
    await migrate(await open(), quietModules);
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await pooler?.close();
  });

  it("the pooler is recognised", async () => {
    expect([(await open()).isPooled, pooler.handovers > 0]).toEqual([true, true]);
  });

  it("every transaction has its settings, and leaves none to the next client", async () => {
    const [one, other] = [await open(), await open()];
    const ask = async (database: Database, turn: number) => {
      const sql = `${readOnly}, ${turn} as turn`;
      if (turn % 3 === 0) return database.write((session) => session.query(sql));
      return turn % 3 === 1 ? database.query(sql) : database.read((session) => session.query(sql));
    };
    const turns = Array.from({ length: 120 }, (_, turn) => turn);
    const sqlRowses = await Promise.all(turns.map((turn) => ask(turn % 2 === 0 ? one : other, turn)));
    const value = (turn: number) => (turn % 3 === 0 ? "off" : "on");
    expect(sqlRowses).toEqual(turns.map((turn) => [{ value: value(turn), schema: schema ?? "public", turn }]));
    expect(pooler.handovers).toBeGreaterThan(10);
  });

  it("a read sees one snapshot while others write", async () => {
    const [reader, writer] = [await open(), await open()];
    await reader.read(async (session) => {
      const count = async () =>
        Number((await session.query("select count(*) as count from marketplace_names"))[0]?.count);
      const before = await count();
      await writer.write((own) =>
        own.query("insert into marketplace_names values ($1::bytea, 'name')", [`\\x${before}0`]),
      );
      expect([before, await count()]).toEqual([before, before]);
    });
  });

  it("one writer at a time holds the lock", async () => {
    const [first, second] = [await open(), await open()];
    const held = await first.lockWriter();
    const waiting = second.lockWriter(withDeadline(quietModules.clock, 1_000).signal);
    await expect(waiting).rejects.toMatchObject({ code: "lib/deadline" });
    await held.release();
    const next = await second.lockWriter();
    expect(next.lost.aborted).toBe(false);
    await next.release();
  });

  it("a partition is sealed, in whatever sessions its steps run", async () => {
    const database = await open();
    await weighPartitions(database);
    const weights = await database.query("select value from index_facts where name = 'partition_weight'");
    expect([canSeal(database), weights]).toEqual([true, [{ value: String(partitionWeight) }]]);
    const modules = { database, clock: systemClock, signal: new AbortController().signal };
    const partition = { parent: "messages", place: 0, column: "lt", from: 0n, to: 1n << 42n, sources: [0] };
    expect(await sealPartition(modules, partition, { attempt: "a", tries: 50, waitMs: 10 })).toBe(true);
    expect(await database.query("select name from sealed_partitions")).toEqual([{ name: "messages_p0" }]);
  });

  it("a cancelled statement ends, and no other one with it", async () => {
    const database = await open();
    const others = Array.from({ length: 3 }, () => database.query("select 1 as one, pg_sleep(0.5)"));
    const leaving = new AbortController();
    const slow = database.query("select pg_sleep(60)", [], { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 100);
    await expect(slow).rejects.toMatchObject({ code: "lib/aborted" });
    expect((await Promise.all(others)).map(([row]) => row?.one)).toEqual([1, 1, 1]);
  });

  it("a statement has its time limit, which the next client does not have", async () => {
    const database = await open();
    await expect(database.query("select pg_sleep(60)", [], { timeoutMs: 50 })).rejects.toMatchObject({
      code: "history/timeout",
    });
    const [row] = await database.query("select current_setting('statement_timeout') as value");
    expect(row?.value).toBe("0");
  });
});
