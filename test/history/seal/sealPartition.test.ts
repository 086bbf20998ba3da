import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { answer, type MixedChain, makeMix } from "../../../kit/history/queryMix.ts";
import { usePartitions } from "../../../kit/history/retention/usePartitions.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { dropOld } from "../../../src/history/retention/dropOld.ts";
import { listSealable } from "../../../src/history/seal/listSealable.ts";
import { type Partition, tableOf } from "../../../src/history/seal/Partition.ts";
import { sealPartition } from "../../../src/history/seal/sealPartition.ts";
import { exportIndex } from "../../../src/history/snapshot/exportIndex.ts";
import type { Database, SqlSession } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { networkFact, setFact } from "../../../src/history/store/schema/indexFacts.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { copyUrl, freshUrl, quietModules } from "../../kit/history/database.ts";

/** A block of the synthetic chain has a million logical times and takes one second; a partition has sixteen blocks. */
const blocks = 60;
const after = 5;
const { signal } = new AbortController();
const quick = { tries: 2, waitMs: 10 };

let template: string;
let database: Database;
let chain: MixedChain;

beforeAll(async () => {
  template = await freshUrl("all");
  const made = await openPostgres(template, quietModules);
  await usePartitions(made, 16_000_000n);
  const rows = new MadeRows(blocks * 100);
  for (let seqno = 1; seqno <= blocks; seqno++) await commitBatches(made, [rows.next(seqno)], { firstSeqno: 1 });
  await made.write((session) => setFact(session, networkFact, zeroHash));
  chain = { accounts: rows.accounts, transactions: rows.count, blocks };
  await made.close();
});

async function openChain(): Promise<void> {
  database = await openPostgres(await copyUrl(template), quietModules, { readers: 4 });
}

const seal = (partition: Partition, attempt = "a", own: Pick<Database, "query" | "write"> = database) =>
  sealPartition({ database: own, clock: systemClock, signal }, partition, { attempt, ...quick });

async function getPartition(name: string): Promise<Partition> {
  const partition = (await listSealable(database, { after })).find((each) => tableOf(each) === name);
  if (partition === undefined) throw new Error(`${name} cannot be sealed`);
  return partition;
}

/** The rows of a table, in any order, as one value. */
async function digest(session: Pick<SqlSession, "query">, table: string): Promise<unknown> {
  const [row] = await session.query(
    `select count(*) as count, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from ${table} t`,
  );
  return row;
}

async function listTables(): Promise<readonly string[]> {
  const rows = await database.query("select relname::text as name from pg_class where relkind = 'p' order by 1");
  return rows.map(({ name }) => String(name));
}

async function digestAll(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of await listTables()) found[name] = await digest(database, name);
  return found;
}

async function listIndexes(): Promise<readonly unknown[]> {
  const rows = await database.query(
    "select indexname::text as name, indexdef::text as made from pg_indexes where schemaname = 'public' order by 1",
  );
  return rows.map(({ name, made }) => [name, String(made).replace(/ WITH \(fillfactor='100'\)/, "")]);
}

async function askAll(): Promise<Record<string, unknown>> {
  const history = new History(contractHistory, { database });
  const answers: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(makeMix(chain, undefined)))
    answers[name] = JSON.parse((await answer(history, make())).text);
  return answers;
}

/** The files of an export, without the time it was made at. */
async function exportFiles(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-sealed-"));
  try {
    return (await exportIndex({ database, clock: systemClock }, folder)).files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("finished partitions", () => {
  beforeAll(openChain);
  afterAll(() => database?.close());

  it("are those that a segment has passed, and in which no trace is open", async () => {
    const places = async () => [...new Set((await listSealable(database, { after })).map(({ place }) => place))];
    expect(await places()).toEqual([0, 1, 2]);
    expect(await listSealable(database, { after: 50 })).toEqual([]);
    const change = (state: string) =>
      database.write((session) =>
        session.run(`update traces set state = '${state}' where trace_id =
          (select trace_id from traces where start_lt between 20000000 and 21000000 order by start_lt limit 1)`),
      );
    await change("pending");
    expect(await places()).toEqual([0, 2]);
    await change("complete");
    // The index is to begin before the first partition does.
    await database.write(async (session) => {
      await session.run("update segments set first_seqno = 5");
      await setFact(session, "first_wanted", "1");
    });
    expect(await places()).toEqual([1, 2]);
    await database.write((session) =>
      session.run("update segments set first_seqno = 1; delete from index_facts where name = 'first_wanted'"),
    );
    expect(await places()).toEqual([0, 1, 2]);
  });

  it("have the same rows, indexes, answers and exported files when they are sealed, and are sealed once", async () => {
    const before = [await digestAll(), await listIndexes(), await askAll(), await exportFiles()];
    for (const partition of await listSealable(database, { after }))
      expect([tableOf(partition), await seal(partition)]).toEqual([tableOf(partition), true]);
    expect([await digestAll(), await listIndexes(), await askAll(), await exportFiles()]).toEqual(before);
    expect(await listSealable(database, { after })).toEqual([]);
    const [row] = await database.query("select count(*) as count from sealed_partitions");
    expect(row).toEqual({ count: BigInt(3 * (await listTables()).length) });
    expect(await database.query("select tgname from pg_trigger where tgname = 'note_change'")).toEqual([]);
  });

  it("have the rows of an account next to each other", async () => {
    /** How many rows follow one that comes after them in the order of accounts: a few fill gaps of earlier pages. */
    const shareBehind = async (name: string) => {
      const [row] = await database.query(
        `select avg((account < before)::int)::float8 as share
         from (select account, lag(account) over (order by ctid) as before from ${name}) t`,
      );
      return Number(row?.share);
    };
    expect(await shareBehind("transactions_p1")).toBeLessThan(0.1);
    expect(await shareBehind("transactions_p3")).toBeGreaterThan(0.3);
  });

  it("take rows and are removed like others", async () => {
    await database.write((session) => session.run("update transactions set aborted = aborted where lt < 16777216"));
    expect(await dropOld(database, 1_700_000_000 + 40)).toBe(34);
    const left = await database.query("select name from sealed_partitions where name !~ '_p2$'");
    expect(left).toEqual([]);
  });
});

describe("sealing", () => {
  beforeEach(openChain);
  afterEach(() => database?.close());

  /** A database whose process is killed at its nth transaction: before the commit, or after it. */
  function killedAt(nth: number, when: "before" | "after"): Pick<Database, "query" | "write"> {
    let count = 0;
    const query: Database["query"] = (...args) =>
      count >= nth ? Promise.reject(new Error("killed")) : database.query(...args);
    const write: Database["write"] = async (work) => {
      count += 1;
      if (count > nth) throw new Error("killed");
      const done = await database.write(async (session) => {
        const value = await work(session);
        if (count === nth && when === "before") throw new Error("killed");
        return value;
      });
      if (count === nth) throw new Error("killed");
      return done;
    };
    return { query, write };
  }

  it("continues after a kill in any of its steps, with all rows", async () => {
    const before = await digestAll();
    const partition = await getPartition("transactions_p1");
    for (const nth of [1, 2, 3]) {
      for (const when of ["before", "after"] as const) {
        await expect(seal(partition, `${nth} ${when}`, killedAt(nth, when))).rejects.toThrow("killed");
        expect([nth, when, await digestAll()]).toEqual([nth, when, before]);
      }
    }
    // The last kill came after the swap was committed.
    await expect(getPartition("transactions_p1")).rejects.toThrow("cannot be sealed");
    expect(await seal(await getPartition("transactions_p0"))).toBe(true);
    expect(await digestAll()).toEqual(before);
  });

  it("puts external messages first, in groups by the beginning of their hashes", async () => {
    const [{ bytes } = { bytes: 0 }] = await database.query(
      `select pg_relation_size('messages_p1') * count(*) filter (where created_lt is null) / count(*) as bytes
       from messages_p1`,
    );
    const partition = await getPartition("messages_p1");
    // Four groups.
    const options = { attempt: "a", ...quick, groupBytes: Number(bytes) / 3 };
    expect(await sealPartition({ database, clock: systemClock, signal }, partition, options)).toBe(true);
    const order = `created_lt is not null, case when created_lt is null then get_byte(hash, 0) / 64 end, destination, lt, hash`;
    const [found] = await database.query(
      `select count(*) filter (where created_lt is null)::int > 100 as has_many, avg((wanted < before)::int) < 0.1 as is_sorted
       from (select created_lt, wanted, lag(wanted) over (order by place) as before
         from (select ctid as place, created_lt, row_number() over (order by ${order}) as wanted from messages_p1) m) m`,
    );
    expect(found).toEqual({ has_many: true, is_sorted: true });
  });

  it("gives up when a row changes meanwhile, and keeps the change", async () => {
    const partition = await getPartition("messages_p1");
    let count = 0;
    const write: Database["write"] = async (work) => {
      const done = await database.write(work);
      count += 1;
      // After the copy.
      if (count === 2) {
        await database.write((session) =>
          session.run("update messages set out_index = 77 where lt between 20000000 and 20000010"),
        );
      }
      return done;
    };
    const query: Database["query"] = (...args) => database.query(...args);
    expect(await seal(partition, "a", { query, write })).toBe(false);
    const changed = await digest(database, "messages");
    const [row] = await database.query("select count(*) > 0 as some from messages where out_index = 77");
    expect(row).toEqual({ some: true });
    expect(await database.query("select to_regclass('messages_p1_copy') is null as gone")).toEqual([{ gone: true }]);
    expect(await seal(partition, "b")).toBe(true);
    expect(await digest(database, "messages")).toEqual(changed);
  });

  it("waits for snapshots that do not see the copy, and hides no rows from them", async () => {
    const partition = await getPartition("transactions_p1");
    const before = await digest(database, "transactions");
    await database.read(async (session) => {
      await session.query("select count(*) from blocks");
      expect(await seal(partition)).toBe(false);
      expect(await digest(session, "transactions")).toEqual(before);
    });
    expect(await seal(partition)).toBe(true);
  });

  it("is not noticed by requests", async () => {
    const before = await digest(database, "transactions");
    let isOver = false;
    const read = async () => {
      for (let count = 0; ; count++) {
        const found = await database.read(async (session) => {
          await session.query("select count(*) from segments");
          return digest(session, "transactions");
        });
        expect(found).toEqual(before);
        if (isOver) return count;
        await systemClock.sleep(5);
      }
    };
    const reading = Promise.all([read(), read()]);
    for (const name of ["transactions_p0", "transactions_p1", "transactions_p2"]) {
      const partition = await getPartition(name);
      const modules = { database, clock: systemClock, signal };
      expect(await sealPartition(modules, partition, { attempt: "a", tries: 1_000, waitMs: 5 })).toBe(true);
    }
    isOver = true;
    expect(Math.min(...(await reading))).toBeGreaterThan(0);
  });
});
